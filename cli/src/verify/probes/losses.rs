//! Losses: where their formulas leave open what comes of a number.

use aclnn::DType::F32;
use aclnn::ops::{self, LossReduction};
use aclnn::{Device, Shape, Tensor};
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "divergence-of-zero",
        "What does a target of 0 add to KlDiv?",
        "Nothing, as in PyTorch and on the 950; the page of KlDiv says NaN.",
        |setting| {
            let [x, zero] = [row(&setting.device, &[-1.0, -2.0])?, row(&setting.device, &[0.0, 0.0])?];
            let found = ops::kl_div(&x, &zero).reduction(LossReduction::None).run()?.to_vec::<f32>()?;
            Ok(Answer::as_assumed(found == [0.0; 2], format!("{found:?}")))
        },
    ),
    Probe::new(
        "slope-of-divergence-at-zero",
        "What is the gradient of KlDiv by a target of 0?",
        "0: the kernel leaves such elements out.",
        |setting| {
            let [x, zero] = [row(&setting.device, &[-1.0, -2.0])?, row(&setting.device, &[0.0, 0.0])?];
            let loss = ops::kl_div(&x, &zero).reduction(LossReduction::None);
            let found = loss.target_backward(&row(&setting.device, &[1.0, 1.0])?)?.to_vec::<f32>()?;
            Ok(Answer::as_assumed(found == [0.0; 2], format!("{found:?}")))
        },
    ),
    Probe::new(
        "slope-of-smooth-l1-at-zero",
        "What is the gradient of SmoothL1Loss with beta 0 where prediction and target are equal?",
        "NaN, of 0 over 0, as on the 950.",
        |setting| {
            let x = row(&setting.device, &[1.0, 2.0])?;
            let loss = ops::smooth_l1_loss(&x, &x).beta(0.0).reduction(LossReduction::None);
            let found = loss.backward(&row(&setting.device, &[1.0, 1.0])?)?.to_vec::<f32>()?;
            Ok(Answer::as_assumed(found.iter().all(|slope| slope.is_nan()), format!("{found:?}")))
        },
    ),
    Probe::new(
        "soft-margin-of-large",
        "Does SoftMarginLoss stay finite where the exponential in it is none in f32?",
        "Yes, as log(1 + e^x) is x there.",
        |setting| {
            let [x, target] = [row(&setting.device, &[-100.0])?, row(&setting.device, &[1.0])?];
            let found = ops::soft_margin_loss(&x, &target).run()?.item::<f32>()?;
            Ok(Answer::as_assumed(found == 100.0, format!("the loss of -100 beside 1 is {found}")))
        },
    ),
    Probe::new(
        "states-behind-the-labels",
        "What does CtcLoss write behind the states of the labels, which it rounds up to a multiple of 8?",
        "Minus infinity; the 950 does not round.",
        |setting| {
            let x = Tensor::full(&setting.device, [3, 1, 3], -1.0, F32)?;
            let target = Tensor::from_slice(&setting.device, &[1_i64], [1, 1])?;
            let found = ops::ctc_loss(&x, &target, &[3], &[1]).run()?.1.to_vec::<f32>()?;
            let width = found.len() / 3;
            let behind: Vec<f32> =
                found.chunks(width.max(1)).flat_map(|step| step.iter().skip(3)).copied().collect();
            let is_assumed = behind.iter().all(|state| *state == f32::NEG_INFINITY);
            Ok(Answer::as_assumed(is_assumed, format!("{behind:?}")))
        },
    ),
    Probe::new(
        "class-that-does-not-exist",
        "What does NLLLoss do with a class that does not exist?",
        "The work fails, as on the 950.",
        |setting| {
            let x = Tensor::zeros(&setting.device, [1, 2], F32)?;
            let target = Tensor::from_slice(&setting.device, &[2_i64], [1])?;
            Ok(match ops::nll_loss(&x, &target).run().and_then(|loss| loss.item::<f32>()) {
                Ok(loss) => Answer::wrong(format!("the loss is {loss}")),
                Err(error) => Answer::right(format!("{error:#}")),
            })
        },
    )
    .dangerous(),
];

fn row(device: &Device, numbers: &[f32]) -> Result<Tensor> {
    Ok(Tensor::from_slice(device, numbers, Shape::from([numbers.len()]))?)
}
