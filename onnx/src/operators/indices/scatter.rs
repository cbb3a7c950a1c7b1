//! Scatter and ScatterElements, and what scattering has in common.

use aclnn::Tensor;
use aclnn::ops::ScatterReduction;
use aclnn::product::Product;

use super::coordinates::{element_places, for_elements};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::{from_integers, integers, is_whole};
use crate::host::places;
use crate::run::{Call, Prepared, Values};

/// The rule for an element and those that are scattered to its place.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reduction {
    None,
    Add,
    Mul,
    Min,
    Max,
}

impl Reduction {
    pub(super) fn of(node: &Node) -> NodeResult<Reduction> {
        Ok(match node.text("reduction", "none")?.as_str() {
            "none" => Reduction::None,
            "add" => Reduction::Add,
            "mul" => Reduction::Mul,
            "min" => Reduction::Min,
            "max" => Reduction::Max,
            other => return Reason::missing(format!("its reduction is `{other}`")),
        })
    }

    /// Returns whether a device has no operator for it.
    pub(super) fn lacks(self, call: &Call<'_>) -> bool {
        matches!(self, Reduction::Min | Reduction::Max)
            && call.device().product() == Some(Product::Ascend910B)
    }

    fn integers(self, own: i128, update: i128) -> i128 {
        match self {
            Reduction::None => update,
            Reduction::Add => own + update,
            // The low bits are right, whatever is lost.
            Reduction::Mul => own.wrapping_mul(update),
            Reduction::Min => own.min(update),
            Reduction::Max => own.max(update),
        }
    }

    fn floats(self, own: f64, update: f64) -> f64 {
        match self {
            Reduction::None => update,
            Reduction::Add => own + update,
            Reduction::Mul => own * update,
            _ if own.is_nan() || update.is_nan() => f64::NAN,
            Reduction::Min => own.min(update),
            Reduction::Max => own.max(update),
        }
    }
}

/// Scatters along an axis, on the device.
pub(super) fn along(
    call: &Call<'_>,
    (tensor, indices, updates): (&Tensor, &Tensor, &Tensor),
    axis: usize,
    reduction: Reduction,
) -> NodeResult<Tensor> {
    call.widened([tensor, updates], |[x, updates]| match reduction {
        Reduction::None => x.scatter(axis, indices, updates),
        Reduction::Add => x.scatter_add(axis, indices, updates),
        Reduction::Mul => x.scatter_reduce(axis, indices, updates, ScatterReduction::Product),
        Reduction::Min => x.scatter_reduce(axis, indices, updates, ScatterReduction::Min),
        Reduction::Max => x.scatter_reduce(axis, indices, updates, ScatterReduction::Max),
    })
}

/// Scatters updates to places, on the host.
pub(super) fn to_places(
    array: &Array,
    places: &[usize],
    updates: &Array,
    reduction: Reduction,
) -> NodeResult<Array> {
    if array.dtype() != updates.dtype() || updates.numel() != places.len() {
        return Reason::text(format!("updates {updates:?} do not fit {array:?}"));
    }
    if reduction == Reduction::None {
        let numel = array.numel();
        let mut sources: Vec<usize> = (0..numel).collect();
        for (update, &place) in places.iter().enumerate() {
            if let Some(source) = sources.get_mut(place) {
                *source = numel + update;
            }
        }
        let all = Array::joined(&[array.reshape([numel])?, updates.reshape([updates.numel()])?])?;
        return Ok(all.take(sources.into_iter(), array.shape().clone())?);
    }
    if array.strings().is_some() || array.dtype().is_complex() {
        return Reason::missing(format!("elements of {} are not reduced", array.dtype()));
    }
    if is_whole(array) {
        let (mut own, updates) = (integers(array)?, integers(updates)?);
        for (&update, &place) in updates.iter().zip(places) {
            if let Some(own) = own.get_mut(place) {
                *own = reduction.integers(*own, update);
            }
        }
        if array.dtype() == aclnn::DType::Bool {
            own = own.into_iter().map(|number| i128::from(number != 0)).collect();
        }
        return from_integers(array.dtype(), &own, array.shape());
    }
    let (mut own, updates) = (array.to_f64s()?, updates.to_f64s()?);
    for (&update, &place) in updates.iter().zip(places) {
        if let Some(own) = own.get_mut(place) {
            *own = reduction.floats(*own, update);
        }
    }
    Ok(Array::from_f64s(array.dtype(), &own, array.shape().clone())?)
}

/// Why the host reduces.
pub(super) const NO_REDUCTION: &str = "the device has no such reduction";

pub(super) fn elements(node: &Node) -> NodeResult<Prepared> {
    let (axis, reduction) = (node.int("axis", 0)?, Reduction::of(node)?);
    let on_host = move |call: &Call<'_>| -> NodeResult<Array> {
        let (array, indices, updates) = (call.array(0)?, call.array(1)?, call.array(2)?);
        if indices.shape() != updates.shape() {
            return Reason::text(format!("its indices are {indices:?} and its updates {updates:?}"));
        }
        let places = element_places(array.dims(), &indices, places::axis(axis, array.rank())?)?;
        to_places(&array, &places, &updates, reduction)
    };
    Ok(Prepared::device(move |call| {
        if reduction.lacks(call) {
            call.note_host(NO_REDUCTION);
            return Ok(Values::from(on_host(call)?));
        }
        let (tensor, updates) = (call.tensor(0)?, call.tensor(2)?);
        let axis = places::axis(axis, tensor.rank())?;
        let indices = for_elements(call, 1, tensor.dims().get(axis).copied().unwrap_or(0))?;
        if indices.shape() != updates.shape() {
            return Reason::text(format!(
                "its indices are {:?} and its updates {:?}",
                indices.dims(),
                updates.dims()
            ));
        }
        match indices.numel() {
            0 => Ok(tensor.into()),
            _ => Ok(along(call, (&tensor, &indices, &updates), axis, reduction)?.into()),
        }
    })
    .or_host(on_host))
}
