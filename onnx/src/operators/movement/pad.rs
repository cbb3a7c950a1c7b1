//! Elements around a tensor: Pad, and CenterCropPad.

use aclnn::ops::PadMode;
use aclnn::{DType, Scalar, Shape, Tensor};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::Node;
use crate::host::{FEW, places};
use crate::run::{Call, Prepared, Values};

/// The elements that are put around others.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Constant,
    Reflect,
    Edge,
    Wrap,
}

impl Mode {
    fn of(node: &Node) -> NodeResult<Mode> {
        Ok(match node.text("mode", "constant")?.as_str() {
            "constant" => Mode::Constant,
            "reflect" => Mode::Reflect,
            "edge" => Mode::Edge,
            "wrap" => Mode::Wrap,
            other => return Reason::missing(format!("its mode is `{other}`")),
        })
    }

    /// Returns the index of an axis that is shown at a place before, in or after it.
    fn shown(self, place: i64, size: i64) -> Option<usize> {
        let index = match self {
            _ if (0..size).contains(&place) => place,
            Mode::Constant => return None,
            _ if size <= 1 => 0,
            Mode::Edge => place.clamp(0, size - 1),
            Mode::Wrap => place.rem_euclid(size),
            Mode::Reflect => {
                let turn = place.rem_euclid(2 * (size - 1));
                turn.min(2 * (size - 1) - turn)
            }
        };
        Some(index as usize)
    }
}

/// The number of indices before and after those of each axis; some may be taken away first.
struct Pads {
    /// The part that is left of each axis.
    kept: Vec<(usize, usize)>,
    added: Vec<(usize, usize)>,
    /// The shape of the result.
    shape: Shape,
}

impl Pads {
    /// Reads the numbers before all axes, and after them.
    fn new(dims: &[usize], pads: &[i64], axes: Option<&[i64]>) -> NodeResult<Pads> {
        let axes = match axes {
            Some(axes) => places::axes(axes, dims.len())?,
            None => (0..dims.len()).collect(),
        };
        if pads.len() != 2 * axes.len() {
            return Reason::text(format!("it has {} pads for {} axes", pads.len(), axes.len()));
        }
        let kept = dims.iter().map(|&size| (0, size)).collect();
        let mut made = Pads { kept, added: vec![(0, 0); dims.len()], shape: Shape::scalar() };
        let (before, after) = pads.split_at_checked(axes.len()).unwrap_or_default();
        for ((&axis, &before), &after) in axes.iter().zip(before).zip(after) {
            let size = dims.get(axis).copied().unwrap_or(0) as i64;
            // The places of the result, counted as those of the axis.
            let (start, end) = (before.checked_neg(), size.checked_add(after));
            let (Some(start), Some(end)) = (start, end.filter(|&end| before.saturating_add(end) >= 0)) else {
                return Reason::text(format!("an axis of size {size} is not padded by {before} and {after}"));
            };
            let (from, to) = (start.clamp(0, size), end.clamp(0, size));
            let total = end.saturating_sub(start);
            let first = before.clamp(0, total);
            if let (Some(kept), Some(added)) = (made.kept.get_mut(axis), made.added.get_mut(axis)) {
                *kept = (from as usize, to as usize);
                *added = (first as usize, (total - first - (to - from)) as usize);
            }
        }
        let sizes = made.kept.iter().zip(&made.added).map(|((from, to), (before, after))| {
            (to - from).checked_add(*before).and_then(|size| size.checked_add(*after))
        });
        let total =
            sizes.map(|size| size.and_then(|size| i64::try_from(size).ok())).collect::<Option<Vec<_>>>();
        made.shape = tensor::shape(&total.ok_or_else(|| format!("its pads are {pads:?}"))?)?;
        Ok(made)
    }

    fn check(&self, mode: Mode) -> NodeResult<()> {
        let empty = |((from, to), added): (&(usize, usize), &(usize, usize))| from == to && *added != (0, 0);
        match mode != Mode::Constant && self.kept.iter().zip(&self.added).any(empty) {
            true => Reason::text("it has no elements to put around an empty axis"),
            false => Ok(()),
        }
    }

    /// Returns which index of each axis comes to each place.
    fn picks(&self, mode: Mode) -> Vec<Vec<Option<usize>>> {
        let axes = self.kept.iter().zip(&self.added);
        axes.map(|(&(from, to), &(before, after))| {
            let size = (to - from) as i64;
            let shown = (-(before as i64)..size + after as i64).map(|place| mode.shown(place, size));
            shown.map(|index| Some(index? + from)).collect()
        })
        .collect()
    }

    /// Returns the tensor without what is taken away.
    fn cut(&self, mut tensor: Tensor) -> NodeResult<Tensor> {
        for (axis, &(from, to)) in self.kept.iter().enumerate() {
            if (from, to) != (0, tensor.dims().get(axis).copied().unwrap_or(0)) {
                tensor = tensor.slice(axis, from..to)?;
            }
        }
        Ok(tensor)
    }

    /// Returns the pairs of the last axes, from the first one on that is padded.
    fn last(&self) -> &[(usize, usize)] {
        let first = self.added.iter().position(|&added| added != (0, 0)).unwrap_or(self.added.len());
        self.added.get(first..).unwrap_or_default()
    }
}

/// Returns the element to put around others: zero, false or an empty string if none is given.
fn fill(dtype: DType, value: Option<Array>) -> NodeResult<Array> {
    match value {
        Some(value) if value.numel() == 1 && value.dtype() == dtype => Ok(value.reshape(Shape::scalar())?),
        Some(value) => Reason::text(format!("its value is {value:?}, not one element of {dtype}")),
        None if dtype == DType::String => Ok(Array::from_strings([String::new()], Shape::scalar())?),
        None => Ok(Array::new(dtype, Shape::scalar(), vec![0; dtype.storage_bytes(1).unwrap_or(0)])?),
    }
}

/// Returns a number as the operators of the device take it; `None` if it is complex.
fn scalar(value: &Array) -> NodeResult<Option<Scalar>> {
    let dtype = value.dtype();
    if dtype.is_complex() {
        return Ok(None);
    }
    if dtype == DType::U64 {
        return Ok(value.to_vec::<u64>()?.first().map(|&number| number.into()));
    }
    if dtype.is_integer() || dtype == DType::Bool {
        return Ok(value.to_i64s()?.first().map(|&number| number.into()));
    }
    Ok(value.to_f64s()?.first().map(|&number| number.into()))
}

fn on_device(call: &Call<'_>, pads: &Pads, mode: Mode, value: Option<Array>) -> NodeResult<Values> {
    let tensor = pads.cut(call.tensor(0)?)?;
    let last = pads.last();
    if last.is_empty() {
        return Ok(tensor.into());
    }
    if pads.shape.is_empty_tensor() {
        return Ok(Tensor::empty(call.stream(), pads.shape.clone(), tensor.dtype())?.into());
    }
    let inner = match mode {
        Mode::Constant => {
            let there = || -> NodeResult<Values> {
                call.note_host("the device has no numbers of this type to pad with");
                Ok(on_host(&call.array(0)?, pads, mode, value.clone())?.into())
            };
            let Some(value) = scalar(&fill(tensor.dtype(), value.clone())?)? else { return there() };
            if tensor.numel() == 0 {
                return Ok(Tensor::full(call.stream(), pads.shape.clone(), value, tensor.dtype())?.into());
            }
            return match call.widened([&tensor], |[x]| x.pad(last, PadMode::Constant(value))) {
                Err(Reason::Device(error)) if matches!(*error, aclnn::Error::Scalar { .. }) => there(),
                padded => padded.map(Values::from),
            };
        }
        Mode::Reflect => PadMode::Reflect,
        Mode::Edge => PadMode::Replicate,
        Mode::Wrap => PadMode::Circular,
    };
    match tensor.pad(last, inner) {
        Ok(padded) => return Ok(padded.into()),
        // It pads fewer axes, or by fewer indices, or other types.
        Err(aclnn::Error::Argument { .. } | aclnn::Error::Unsupported { .. } | aclnn::Error::Rank { .. }) => {
        }
        Err(error) => return Err(error.into()),
    }
    by_index(call, tensor, pads, mode).map(Values::from)
}

/// Takes the indices of one axis after the other.
fn by_index(call: &Call<'_>, mut tensor: Tensor, pads: &Pads, mode: Mode) -> NodeResult<Tensor> {
    for (axis, &(before, after)) in pads.added.iter().enumerate().filter(|(_, added)| **added != (0, 0)) {
        let size = tensor.dims().get(axis).copied().unwrap_or(0) as i64;
        let shown = (-(before as i64)..size + after as i64).map(|place| mode.shown(place, size));
        let indices = call.upload(&Array::line(shown.flatten().map(|index| index as i64)))?;
        tensor = call.widened([&tensor], |[x]| x.take_axis(axis, &indices))?;
    }
    Ok(tensor)
}

fn on_host(array: &Array, pads: &Pads, mode: Mode, value: Option<Array>) -> NodeResult<Array> {
    if pads.shape.is_empty_tensor() {
        return Ok(array.take([].into_iter(), pads.shape.clone())?);
    }
    places::pick(array, &pads.picks(mode), Some(&fill(array.dtype(), value)?))
}

fn prepared(
    mode: Mode,
    pads: impl Fn(&Call<'_>) -> NodeResult<(Pads, Option<Array>)> + Clone + Send + Sync + 'static,
) -> Prepared {
    let for_host = pads.clone();
    Prepared::device(move |call| {
        let (pads, value) = pads(call)?;
        pads.check(mode)?;
        on_device(call, &pads, mode, value)
    })
    .or_host(move |call| {
        let (pads, value) = for_host(call)?;
        pads.check(mode)?;
        let array = call.array(0)?;
        // The device makes what is large, where it has the type.
        let is_large = pads.shape.numel().is_none_or(|count| count > FEW);
        let is_whole = array.strings().is_none() && array.dtype().bits() >= 8;
        if call.value(0)?.known().is_some() && is_whole && is_large {
            return Reason::missing("the result is large");
        }
        on_host(&array, &pads, mode, value)
    })
    .of_whole_bytes()
}

/// Pads by attributes.
pub(super) fn by_attributes(node: &Node) -> NodeResult<Prepared> {
    let (mode, value) = (Mode::of(node)?, node.float("value", 0.0)?);
    let Some(numbers) = node.ints("pads")? else { return Reason::text("its attribute `pads` is missing") };
    Ok(prepared(mode, move |call| {
        let value = Array::from_f64s(call.dtype(0)?, &[value.into()], Shape::scalar())?;
        Ok((Pads::new(call.shape(0)?, &numbers, None)?, Some(value)))
    }))
}

/// Pads by inputs.
pub(super) fn by_inputs(node: &Node) -> NodeResult<Prepared> {
    let mode = Mode::of(node)?;
    Ok(prepared(mode, move |call| {
        let axes = call.optional_ints(3)?;
        let pads = Pads::new(call.shape(0)?, &call.ints(1)?, axes.as_deref())?;
        let value = match mode {
            Mode::Constant => call.optional_array(2)?,
            _ => None,
        };
        Ok((pads, value))
    }))
}

pub(super) fn center_crop_pad(node: &Node) -> NodeResult<Prepared> {
    let axes = node.ints("axes")?;
    Ok(prepared(Mode::Constant, move |call| {
        let (dims, wanted) = (call.shape(0)?, call.ints(1)?);
        let axes = match &axes {
            Some(axes) => places::axes(axes, dims.rank())?,
            None => (0..dims.rank()).collect(),
        };
        if wanted.len() != axes.len() || wanted.iter().any(|&size| size < 0) {
            return Reason::text(format!("its shape is {wanted:?} for {} axes", axes.len()));
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (&axis, &wanted) in axes.iter().zip(&wanted) {
            let added = wanted - dims.get(axis).copied().unwrap_or(0) as i64;
            before.push(added / 2);
            after.push(added - added / 2);
        }
        let axes: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
        Ok((Pads::new(dims, &[before, after].concat(), Some(&axes))?, None))
    }))
}
