//! Slice: every so many indices of a range of some axes.

use aclnn::Tensor;

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

/// The part that is left of an axis.
struct Cut {
    axis: usize,
    /// The lowest index that is taken, and the one after the highest.
    from: usize,
    to: usize,
    step: usize,
    /// The highest index comes first.
    backwards: bool,
}

/// The numbers that say what is sliced.
#[derive(Clone)]
struct Bounds {
    starts: Vec<i64>,
    ends: Vec<i64>,
    axes: Option<Vec<i64>>,
    steps: Option<Vec<i64>>,
}

impl Bounds {
    /// Returns the cuts that they make; axes of which all is left are not among them.
    fn cuts(&self, dims: &[usize]) -> NodeResult<Vec<Cut>> {
        let count = self.starts.len();
        let axes = match &self.axes {
            Some(axes) => places::axes(axes, dims.len())?,
            None => (0..count).collect(),
        };
        let steps = match &self.steps {
            Some(steps) => steps.clone(),
            None => vec![1; count],
        };
        if self.ends.len() != count || axes.len() != count || steps.len() != count || count > dims.len() {
            return Reason::text(format!(
                "it has {count} starts, {} ends, {} axes and {} steps for {} axes",
                self.ends.len(),
                axes.len(),
                steps.len(),
                dims.len()
            ));
        }
        let mut cuts = Vec::with_capacity(count);
        for (((&start, &end), &axis), &step) in self.starts.iter().zip(&self.ends).zip(&axes).zip(&steps) {
            let size = dims.get(axis).copied().unwrap_or(0);
            let cut = Cut::new(axis, size, start, end, step)?;
            if (cut.from, cut.to, cut.step, cut.backwards) != (0, size, 1, false) {
                cuts.push(cut);
            }
        }
        Ok(cuts)
    }
}

impl Cut {
    fn new(axis: usize, size: usize, start: i64, end: i64, step: i64) -> NodeResult<Cut> {
        let signed = size as i64;
        let place = |index: i64| if index < 0 { index.saturating_add(signed) } else { index };
        let (start, end) = (place(start), place(end));
        let stride = step.unsigned_abs().min(i64::MAX as u64) as usize;
        let cut = |from, to, backwards| Cut { axis, from, to, step: stride, backwards };
        match step {
            0 => Reason::text("one of its steps is 0"),
            1.. => {
                let (start, end) = (start.clamp(0, signed) as usize, end.clamp(0, signed) as usize);
                Ok(cut(start, end.max(start), false))
            }
            _ if size == 0 => Ok(cut(0, 0, false)),
            _ => {
                let (start, end) = (start.clamp(0, signed - 1), end.clamp(-1, signed - 1));
                let steps = match usize::try_from(start - end) {
                    Ok(between @ 1..) => (between - 1) / stride,
                    _ => return Ok(cut(0, 0, false)),
                };
                let start = start as usize;
                Ok(cut(start - steps * stride, start + 1, true))
            }
        }
    }
}

/// Slices by attributes.
pub(super) fn by_attributes(node: &Node) -> NodeResult<Prepared> {
    let (Some(starts), Some(ends)) = (node.ints("starts")?, node.ints("ends")?) else {
        return Reason::text("its attribute `starts` or `ends` is missing");
    };
    let bounds = Bounds { starts, ends, axes: node.ints("axes")?, steps: None };
    Ok(prepared(move |_, dims| bounds.cuts(dims)))
}

/// Slices by inputs.
pub(super) fn by_inputs(_: &Node) -> NodeResult<Prepared> {
    Ok(prepared(|call, dims| {
        let bounds = Bounds {
            starts: call.ints(1)?,
            ends: call.ints(2)?,
            axes: call.optional_ints(3)?,
            steps: call.optional_ints(4)?,
        };
        bounds.cuts(dims)
    }))
}

fn prepared(
    cuts: impl Fn(&Call<'_>, &[usize]) -> NodeResult<Vec<Cut>> + Clone + Send + Sync + 'static,
) -> Prepared {
    let on_host = cuts.clone();
    Prepared::device(move |call| on_device(call, &cuts(call, call.shape(0)?)?))
        .or_host(move |call| {
            let array = call.array(0)?;
            sliced(&array, &on_host(call, array.dims())?)
        })
        .of_whole_bytes()
}

/// A view, unless an axis is turned.
fn on_device(call: &Call<'_>, cuts: &[Cut]) -> NodeResult<Tensor> {
    let mut tensor = call.tensor(0)?;
    for cut in cuts {
        tensor = tensor.slice_step(cut.axis, cut.from..cut.to, cut.step)?;
    }
    let turned: Vec<usize> = cuts.iter().filter(|cut| cut.backwards).map(|cut| cut.axis).collect();
    match turned.is_empty() {
        true => Ok(tensor),
        false => call.widened([&tensor], |[x]| x.flip(&turned)),
    }
}

fn sliced(array: &Array, cuts: &[Cut]) -> NodeResult<Array> {
    let layout = cuts.iter().try_fold(array.layout(), |layout, cut| {
        let step = cut.step as isize;
        layout.slice(cut.axis, cut.from..cut.to, if cut.backwards { -step } else { step })
    });
    places::view(array, layout)
}
