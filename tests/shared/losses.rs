//! Losses and their gradients through the safe layer: shapes, types, options and what is refused. What the operators compute is
//! tested with the emulator; expectations here are computed by hand from the definitions, or known identities.

use aclnn::ops::{self, LossReduction};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Shape, Tensor};

use crate::support;

fn floats(device: &Device, values: &[f32], dims: &[usize]) -> Result<Tensor, Error> {
    Tensor::from_slice(device, values, dims)
}

fn one(device: &Device) -> Result<Tensor, Error> {
    Tensor::ones(device, Shape::scalar(), DType::F32)
}

fn near(tensor: &Tensor, expected: &[f32]) -> Result<(), Error> {
    let found = tensor.cast(DType::F32)?.to_vec::<f32>()?;
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{found} {expected}");
    }
    Ok(())
}

/// Tensors of other numbers of axes have other storage formats, which the library compares.
#[test]
fn weights_with_fewer_axes_than_images_broadcast() -> Result<(), Error> {
    let device = Device::open(0)?;
    let half = floats(&device, &[0.5; 4], &[1, 2, 2])?;
    let weight = floats(&device, &[1.0, 2.0], &[2])?;
    let loss = ops::binary_cross_entropy(&half, &half).weight(&weight).reduction(LossReduction::None);
    let ln2 = std::f32::consts::LN_2;
    near(&loss.run()?, &[ln2, 2.0 * ln2, ln2, 2.0 * ln2])?;
    near(&loss.backward(&half)?, &[0.0; 4])
}

#[test]
fn losses_of_two_tensors_are_combined_and_have_gradients() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (x, t) = (
        floats(&device, &[0.25, 0.5, 0.75, 0.5], &[2, 2])?,
        floats(&device, &[1.0, 0.0, 1.0, 0.5], &[2, 2])?,
    );
    let each = ops::mse_loss(&x, &t).reduction(LossReduction::None).run()?;
    assert_eq!((each.dims(), each.to_vec::<f32>()?), (&[2, 2][..], vec![0.5625, 0.25, 0.0625, 0.0]));
    near(&ops::mse_loss(&x, &t).run()?, &[0.875 / 4.0])?;
    near(&ops::l1_loss(&x, &t).reduction(LossReduction::Sum).run()?, &[1.5])?;
    near(&ops::l1_loss(&x, &t).backward(&one(&device)?)?, &[-0.25, 0.25, -0.25, 0.0])?;
    near(
        &ops::smooth_l1_loss(&x, &t).beta(0.5).reduction(LossReduction::Sum).run()?,
        &[0.5 + 0.25 + 0.0625],
    )?;
    // The cross entropy with probabilities is that of the numbers before the sigmoid.
    let probabilities = x.sigmoid()?;
    let direct = ops::binary_cross_entropy_with_logits(&x, &t).run()?;
    near(&ops::binary_cross_entropy(&probabilities, &t).run()?, &direct.to_vec::<f32>()?)?;
    // Its gradient is the difference of both.
    let expected: Vec<f32> = probabilities.sub(&t)?.to_vec()?;
    let sum = ops::binary_cross_entropy_with_logits(&x, &t).reduction(LossReduction::Sum);
    near(&sum.backward(&one(&device)?)?, &expected)?;
    near(&sum.target_backward(&one(&device)?)?, &[-0.25, -0.5, -0.75, -0.5])?;
    let (weight, positive) = (floats(&device, &[2.0, 1.0], &[2])?, floats(&device, &[3.0], &[1])?);
    let weighted = sum.weight(&weight).pos_weight(&positive).reduction(LossReduction::None).run()?;
    let by_hand: Vec<f32> = [(0.25f32, 1.0f32, 2.0f32), (0.5, 0.0, 1.0), (0.75, 1.0, 2.0), (0.5, 0.5, 1.0)]
        .iter()
        .map(|(x, t, w)| w * ((1.0 - t) * x + (1.0 + 2.0 * t) * (1.0 + (-x).exp()).ln()))
        .collect();
    near(&weighted, &by_hand)?;
    // The mean over batches is the sum over the first axis.
    let batches = ops::kl_div(&x, &t).reduction(LossReduction::BatchMean).run()?.to_vec::<f32>()?;
    near(&ops::kl_div(&x, &t).reduction(LossReduction::Sum).run()?, &[2.0 * batches[0]])?;
    near(
        &ops::kl_div(&x, &t).log_target().backward(&one(&device)?)?,
        &t.exp()?.mul(-0.25)?.to_vec::<f32>()?,
    )?;
    Ok(())
}

#[test]
fn operands_of_losses_are_promoted_and_broadcast() -> Result<(), Error> {
    let device = Device::open(0)?;
    let x = floats(&device, &[1.0, 2.0, 3.0, 4.0], &[2, 2])?;
    let target = floats(&device, &[1.0, 2.0], &[2])?.cast(DType::F16)?;
    let loss = ops::mse_loss(&x, &target).reduction(LossReduction::None).run()?;
    assert_eq!((loss.dtype(), loss.to_vec::<f32>()?), (DType::F32, vec![0.0, 0.0, 4.0, 4.0]));
    let half = ops::mse_loss(&target, &target).run()?;
    assert_eq!((half.dtype(), half.rank()), (DType::F16, 0));
    let none = x.slice(0, ..0)?;
    assert!(ops::mse_loss(&none, &target).run()?.to_vec::<f32>()?[0].is_nan());
    assert_eq!(ops::mse_loss(&none, &target).reduction(LossReduction::Sum).run()?.to_vec::<f32>()?, [0.0]);
    assert_eq!(ops::mse_loss(&none, &none).backward(&one(&device)?)?.dims(), [0, 2]);
    Ok(())
}

#[test]
fn the_cross_entropy_of_classes_is_the_likelihood_of_the_softmax() -> Result<(), Error> {
    let device = Device::open(0)?;
    let x = floats(&device, &[0.5, -1.0, 2.0, 0.0, 1.0, -0.5, 3.0, 1.5, -2.0], &[3, 3])?;
    let target = Tensor::from_slice(&device, &[2i64, 1, 0], [3])?;
    let weight = floats(&device, &[1.0, 2.0, 0.5], &[3])?;
    let logarithms = x.log_softmax(-1)?;
    let has_entropy = !support::skips_on(&device, Product::Ascend310P, "it has no cross entropy of classes");
    for reduction in [LossReduction::None, LossReduction::Mean, LossReduction::Sum] {
        let likelihood =
            ops::nll_loss(&logarithms, &target).weight(&weight).ignore_index(1).reduction(reduction);
        let (loss, total) = likelihood.run_with_total_weight()?;
        let grad = loss.ones_like()?;
        let inner = likelihood.backward(&grad, &total)?;
        if !has_entropy {
            continue;
        }
        let entropy = ops::cross_entropy(&x, &target).weight(&weight).ignore_index(1).reduction(reduction);
        let (same, same_logarithms) = entropy.run_with_log_probabilities()?;
        assert_eq!(same.dims(), loss.dims());
        near(&same, &loss.to_vec::<f32>()?)?;
        near(&same_logarithms, &logarithms.to_vec::<f32>()?)?;
        let outer = inner.log_softmax_backward(&logarithms, -1)?;
        near(&entropy.backward(&grad, &same_logarithms)?, &outer.to_vec::<f32>()?)?;
    }
    // Probabilities that are sure of a class are that class.
    let sure = floats(&device, &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0], &[3, 3])?;
    let (loss, gradient) = x.softmax_cross_entropy(&sure)?;
    near(&gradient, &x.softmax(-1)?.sub(&sure)?.to_vec::<f32>()?)?;
    let own = ops::nll_loss(&logarithms, &target).reduction(LossReduction::None).run()?;
    near(&loss, &own.to_vec::<f32>()?)?;
    if has_entropy {
        let each = ops::cross_entropy(&x, &target).reduction(LossReduction::None);
        let (same, kept) = each.run_with_log_probabilities()?;
        near(&loss, &same.to_vec::<f32>()?)?;
        near(&gradient, &each.backward(&same.ones_like()?, &kept)?.to_vec::<f32>()?)?;
    }
    // Images are rows in another order.
    let images = logarithms.transpose(0, 1)?.contiguous()?.reshape([1, 3, 1, 3])?;
    let likelihood = ops::nll_loss(&images, &target).run();
    assert!(matches!(likelihood, Err(Error::Argument { .. })));
    let classes = target.reshape([1, 1, 3])?;
    near(
        &ops::nll_loss(&images, &classes).run()?,
        &ops::nll_loss(&logarithms, &target).run()?.to_vec::<f32>()?,
    )?;
    Ok(())
}

#[test]
fn losses_refuse_what_does_not_fit_before_anything_is_launched() -> Result<(), Error> {
    let device = Device::open(0)?;
    let x = floats(&device, &[0.5, 0.25], &[1, 2])?;
    let whole = Tensor::from_slice(&device, &[1i32, 0], [1, 2])?;
    let label = Tensor::from_slice(&device, &[1i64], [1])?;
    assert!(matches!(ops::mse_loss(&x, &whole).run(), Err(Error::Unsupported { .. })));
    let three = floats(&device, &[1.0; 3], &[3])?;
    assert!(matches!(ops::l1_loss(&x, &three).run(), Err(Error::Broadcast { .. })));
    let refused = [
        ops::mse_loss(&x, &x).reduction(LossReduction::BatchMean).run(),
        ops::mse_loss(&x, &x).backward(&x),
        ops::mse_loss(&x, &floats(&device, &[1.0], &[1])?).backward(&one(&device)?),
        ops::mse_loss(&x, &x).backward(&one(&device)?.cast(DType::F16)?),
        ops::binary_cross_entropy(&x, &floats(&device, &[1.0], &[1])?).run(),
        ops::nll_loss(&x, &x).run(),
        ops::nll_loss(&x, &label).weight(&three).run(),
        ops::cross_entropy(&x, &label).label_smoothing(2.0).run(),
        ops::cross_entropy(&x, &label).label_smoothing(0.5).backward(&one(&device)?, &x),
        ops::ctc_loss(&x, &label, &[1], &[1]).run().map(|(loss, _)| loss),
        x.softmax_backward(&three, 0),
    ];
    let has_entropy = !support::skips_on(&device, Product::Ascend310P, "it has no cross entropy of classes");
    for (number, result) in refused.into_iter().enumerate() {
        if [7, 8].contains(&number) && !has_entropy {
            assert!(support::is_missing(&device, &result), "{result:?}");
            continue;
        }
        let error = result.expect_err("refused");
        assert!(matches!(error, Error::Argument { .. }), "{number}: {error}");
    }
    assert!(matches!(x.softmax_backward(&x, 2), Err(Error::View { .. })));
    Ok(())
}
