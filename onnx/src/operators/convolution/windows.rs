//! Windows that move over images: the attributes of convolutions and pools, and the sizes that follow from them.

use aclnn::Tensor;
use aclnn::ops::PadMode;

use crate::error::{NodeResult, Reason};
use crate::graph::Node;

/// The movement of windows, as a node says it.
#[derive(Debug, Clone)]
pub(in crate::operators) struct Moves {
    pub(in crate::operators) kernel: Option<Vec<usize>>,
    strides: Option<Vec<usize>>,
    dilations: Option<Vec<usize>>,
    pads: Option<Vec<usize>>,
    auto_pad: AutoPad,
    ceil: bool,
}

/// The rule by which pads are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AutoPad {
    /// The pads are those of the node.
    NotSet,
    /// As many results as strides in the image; of an odd number of pads the last one comes behind the image.
    SameUpper,
    /// As many results as for [`AutoPad::SameUpper`]; of an odd number of pads the last one comes before the image.
    SameLower,
    /// There are no pads.
    Valid,
}

/// Windows along one axis of an image.
#[derive(Debug, Clone, Copy)]
pub(in crate::operators) struct Axis {
    pub(in crate::operators) size: usize,
    pub(in crate::operators) kernel: usize,
    pub(in crate::operators) stride: usize,
    pub(in crate::operators) dilation: usize,
    /// Pads before the image and behind it.
    pub(in crate::operators) before: usize,
    pub(in crate::operators) after: usize,
    /// The number of windows.
    pub(in crate::operators) count: usize,
    /// Whether the number is rounded up.
    pub(in crate::operators) ceil: bool,
}

/// Returns sizes that a list of integers holds.
pub(in crate::operators) fn sizes(name: &str, values: &[i64], least: usize) -> NodeResult<Vec<usize>> {
    let size = |&value: &i64| match usize::try_from(value) {
        Ok(size) if size >= least && size <= i32::MAX as usize => Ok(size),
        _ => Reason::text(format!("its `{name}` {values:?} has a number that is too small or too large")),
    };
    values.iter().map(size).collect()
}

impl Moves {
    /// Reads the attributes.
    pub(in crate::operators) fn of(node: &Node) -> NodeResult<Moves> {
        let list = |name: &str, least: usize| -> NodeResult<Option<Vec<usize>>> {
            node.ints(name)?.map(|values| sizes(name, &values, least)).transpose()
        };
        Ok(Moves {
            kernel: list("kernel_shape", 1)?,
            strides: list("strides", 1)?,
            dilations: list("dilations", 1)?,
            pads: list("pads", 0)?,
            auto_pad: AutoPad::of(node)?,
            ceil: node.flag("ceil_mode", false)?,
        })
    }

    /// Returns the windows over an image, of the size that the node says.
    pub(in crate::operators) fn over(&self, image: &[usize]) -> NodeResult<Vec<Axis>> {
        match &self.kernel {
            Some(kernel) => self.axes(image, kernel),
            None => Reason::text("its attribute `kernel_shape` is missing"),
        }
    }

    /// Returns the windows of a size over an image, without their number and without pads that are to be found.
    pub(in crate::operators) fn given(&self, image: &[usize], kernel: &[usize]) -> NodeResult<Vec<Axis>> {
        let rank = image.len();
        if kernel.len() != rank || self.kernel.as_ref().is_some_and(|own| own != kernel) {
            let own = self.kernel.as_deref().unwrap_or(kernel);
            return Reason::text(format!(
                "windows of {kernel:?}, which the node has as {own:?}, do not suit images of {image:?}"
            ));
        }
        let list = |name: &str, values: &Option<Vec<usize>>, default: usize, count: usize| match values {
            None => Ok(vec![default; count]),
            Some(values) if values.len() == count => Ok(values.clone()),
            Some(values) => Reason::text(format!("its `{name}` {values:?} does not have {count} numbers")),
        };
        let strides = list("strides", &self.strides, 1, rank)?;
        let dilations = list("dilations", &self.dilations, 1, rank)?;
        let pads = match self.auto_pad {
            AutoPad::NotSet => list("pads", &self.pads, 0, 2 * rank)?,
            _ => vec![0; 2 * rank],
        };
        let (before, after) = pads.split_at(rank);
        let steps = strides.into_iter().zip(dilations).zip(before.iter().zip(after));
        let axes = image.iter().zip(kernel).zip(steps);
        Ok(axes
            .map(|((&size, &kernel), ((stride, dilation), (&before, &after)))| Axis {
                size,
                kernel,
                stride,
                dilation,
                before,
                after,
                count: 0,
                ceil: self.ceil,
            })
            .collect())
    }

    /// Returns the windows of a size over an image.
    pub(in crate::operators) fn axes(&self, image: &[usize], kernel: &[usize]) -> NodeResult<Vec<Axis>> {
        let mut axes = self.given(image, kernel)?;
        for axis in &mut axes {
            if matches!(self.auto_pad, AutoPad::SameUpper | AutoPad::SameLower) {
                let count = axis.size.div_ceil(axis.stride);
                let end = count.saturating_sub(1) * axis.stride + axis.reach();
                (axis.before, axis.after) = self.auto_pad.shared(end.saturating_sub(axis.size));
                axis.count = count;
                continue;
            }
            let padded = axis.size + axis.before + axis.after;
            let Some(room) = padded.checked_sub(axis.reach()) else {
                return Reason::text(format!(
                    "a window that reaches over {} elements has no place on {padded}, with pads",
                    axis.reach()
                ));
            };
            axis.count = room / axis.stride + 1;
            if axis.ceil {
                axis.count = room.div_ceil(axis.stride) + 1;
                // No window begins behind the image.
                if (axis.count - 1) * axis.stride >= axis.size + axis.before {
                    axis.count -= 1;
                }
            }
        }
        Ok(axes)
    }

    pub(super) fn auto_pad(&self) -> AutoPad {
        self.auto_pad
    }
}

impl AutoPad {
    fn of(node: &Node) -> NodeResult<AutoPad> {
        match node.text("auto_pad", "NOTSET")?.as_str() {
            "NOTSET" | "" => Ok(AutoPad::NotSet),
            "SAME_UPPER" => Ok(AutoPad::SameUpper),
            "SAME_LOWER" => Ok(AutoPad::SameLower),
            "VALID" => Ok(AutoPad::Valid),
            other => Reason::text(format!("its `auto_pad` is `{other}`")),
        }
    }

    /// Shares pads among both sides.
    pub(super) fn shared(self, pads: usize) -> (usize, usize) {
        let half = pads / 2;
        if self == AutoPad::SameUpper { (half, pads - half) } else { (pads - half, half) }
    }
}

impl Axis {
    /// An axis of one element with a window of one, for images that have fewer axes than an operator takes.
    pub(in crate::operators) const UNIT: Axis =
        Axis { size: 1, kernel: 1, stride: 1, dilation: 1, before: 0, after: 0, count: 1, ceil: false };

    /// Returns how many elements a window reaches over.
    pub(in crate::operators) fn reach(&self) -> usize {
        self.kernel.saturating_sub(1).saturating_mul(self.dilation).saturating_add(1)
    }

    /// Returns the pads on both sides that the windows reach.
    pub(in crate::operators) fn reached(&self) -> (usize, usize) {
        let end = self.count.saturating_sub(1) * self.stride + self.reach();
        (self.before, end.saturating_sub(self.size + self.before))
    }

    /// Returns the pads on both sides, of which the last ones are reached by no window.
    pub(in crate::operators) fn pads(&self) -> (usize, usize) {
        (self.before, self.after)
    }

    /// Returns where a window begins, counted from the first element of the image.
    pub(in crate::operators) fn start(&self, window: usize) -> i64 {
        (window * self.stride) as i64 - self.before as i64
    }
}

/// Returns the sizes of an image: those behind batches and channels.
pub(in crate::operators) fn image(dims: &[usize]) -> NodeResult<&[usize]> {
    match dims {
        [_, _, image @ ..] if !image.is_empty() => Ok(image),
        _ => Reason::text(format!("{dims:?} are not the axes of batches, channels and images")),
    }
}

/// Returns a tensor with a value around the last axes.
pub(in crate::operators) fn padded(
    tensor: &Tensor,
    pads: &[(usize, usize)],
    value: impl Into<aclnn::Scalar>,
) -> NodeResult<Tensor> {
    match pads.iter().all(|pads| *pads == (0, 0)) {
        true => Ok(tensor.clone()),
        false => Ok(tensor.pad(pads, PadMode::constant(value))?),
    }
}

/// Returns a number for each axis of an image as an array.
pub(in crate::operators) fn each<const N: usize>(
    axes: &[Axis],
    number: impl Fn(&Axis) -> usize,
) -> NodeResult<[usize; N]> {
    let numbers: Vec<usize> = axes.iter().map(number).collect();
    match <[usize; N]>::try_from(numbers) {
        Ok(numbers) => Ok(numbers),
        Err(numbers) => Reason::text(format!("there are {} axes, not {N}", numbers.len())),
    }
}

/// Returns the windows along one axis of a tensor that has its pads: the axis counts the windows, and a new last axis the
/// elements in each.
pub(in crate::operators) fn along(tensor: &Tensor, place: usize, axis: &Axis) -> NodeResult<Tensor> {
    let windows = tensor.windows(place, axis.reach(), axis.stride)?.narrow(place, 0, axis.count)?;
    Ok(match axis.dilation {
        1 => windows,
        dilation => windows.slice_step(-1, .., dilation)?,
    })
}
