//! Losses of classes.

use aclnn::{DType, Shape, Tensor, ops};

use super::elements::InType;
use super::operator::Operator;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared, Values};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("NegativeLogLikelihoodLoss", 12, |node| {
        let options = Options::of(node)?;
        Ok(Prepared::device(move |call| {
            let x = call.tensor(0)?;
            Ok(options.loss(call, &wide(&x)?)?.in_type(x.dtype())?)
        }))
    }),
    Operator::node("SoftmaxCrossEntropyLoss", 12, |node| {
        let options = Options::of(node)?;
        Ok(Prepared::device(move |call| {
            let x = call.tensor(0)?;
            let logarithms = wide(&x)?.log_softmax(1)?;
            let loss = options.loss(call, &logarithms)?.in_type(x.dtype())?;
            Ok(match call.wants(1) {
                true => Values::from((loss, logarithms.in_type(x.dtype())?)),
                false => loss.into(),
            })
        }))
    }),
];

/// The rule by which the losses of single elements become the result.
#[derive(Clone, Copy)]
enum Reduction {
    Each,
    Mean,
    Sum,
}

#[derive(Clone, Copy)]
struct Options {
    reduction: Reduction,
    /// The class that gives no loss.
    ignored: Option<i64>,
}

/// Returns the elements in a type in which their sum loses few digits.
fn wide(x: &Tensor) -> NodeResult<Tensor> {
    Ok(match x.dtype() {
        DType::F16 | DType::BF16 => x.in_type(DType::F32)?,
        _ => x.clone(),
    })
}

impl Options {
    fn of(node: &Node) -> NodeResult<Options> {
        let reduction = match node.text("reduction", "mean")?.as_str() {
            "none" => Reduction::Each,
            "mean" => Reduction::Mean,
            "sum" => Reduction::Sum,
            other => return Reason::text(format!("its reduction is {other:?}, not none, mean or sum")),
        };
        Ok(Options { reduction, ignored: node.attributes.int("ignore_index")? })
    }

    /// Returns the loss of logarithms of probabilities, whose axis 1 counts the classes.
    fn loss(&self, call: &Call<'_>, logarithms: &Tensor) -> NodeResult<Tensor> {
        let target = call.tensor(1)?.in_type(DType::I64)?;
        let (&[rows, _, ref places @ ..], &[target_rows, ref target_places @ ..]) =
            (logarithms.dims(), target.dims())
        else {
            return Reason::text(format!(
                "it takes scores {:?} of classes {:?}",
                logarithms.dims(),
                target.dims()
            ));
        };
        if rows != target_rows || places != target_places {
            return Reason::text(format!(
                "the scores {:?} and the classes {:?} do not suit each other",
                logarithms.dims(),
                target.dims()
            ));
        }
        let kept = self.ignored.map(|ignored| target.ne(ignored)).transpose()?;
        let classes = match &kept {
            Some(kept) => ops::where_(kept, &target, 0).run()?,
            None => target,
        };
        let mut losses = logarithms.gather(1, &classes.unsqueeze(1)?)?.squeeze(1)?.neg()?;
        let mut weights = match call.optional_tensor(2)? {
            Some(weights) => Some(weights.in_type(losses.dtype())?.take_axis(0, &classes)?),
            None => None,
        };
        if let Some(kept) = &kept {
            // What is ignored may be infinite.
            let selected = ops::where_(kept, &losses, 0).run()?;
            losses = selected;
            let mask = kept.in_type(losses.dtype())?;
            weights = Some(match weights {
                Some(weights) => weights.mul(&mask)?,
                None => mask,
            });
        }
        if let Some(weights) = &weights {
            losses = losses.mul(weights)?;
        }
        Ok(match (self.reduction, weights) {
            (Reduction::Each, _) => losses,
            (Reduction::Sum, _) => losses.sum(..)?,
            (Reduction::Mean, None) => losses.mean(..)?,
            (Reduction::Mean, Some(weights)) => losses.sum(..)?.div(&weights.sum(..)?)?,
        }
        .reshape(match self.reduction {
            Reduction::Each => classes.shape().clone(),
            _ => Shape::scalar(),
        })?)
    }
}
