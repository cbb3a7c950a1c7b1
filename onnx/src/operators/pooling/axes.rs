//! The windows of pools, axis by axis.

use aclnn::Tensor;

use super::super::convolution::windows::{self, Axis};
use crate::error::NodeResult;

/// Returns whether the device's pools have such windows: without gaps, and with pads of at most half of a window that both sides
/// have.
pub(super) fn is_plain(axes: &[Axis]) -> bool {
    axes.iter().all(|axis| axis.dilation == 1 && axis.before == axis.after && axis.before <= axis.kernel / 2)
}

/// Returns images with one axis as images with two, the first of one element, and their windows.
pub(super) fn with_rows(x: &Tensor, axes: &[Axis]) -> NodeResult<(Tensor, Vec<Axis>)> {
    Ok(match axes {
        [axis] => (x.unsqueeze(2)?, vec![Axis::UNIT, *axis]),
        axes => (x.clone(), axes.to_vec()),
    })
}

/// Reduces the windows of one axis after another; the tensor has its pads.
pub(super) fn reduced(
    tensor: &Tensor,
    axes: &[Axis],
    reduce: impl Fn(&Tensor) -> NodeResult<Tensor>,
) -> NodeResult<Tensor> {
    let mut tensor = tensor.clone();
    for (place, axis) in axes.iter().enumerate().rev() {
        let is_unit =
            axis.kernel == 1 && axis.stride == 1 && tensor.dims().get(place + 2) == Some(&axis.count);
        if !is_unit {
            tensor = reduce(&windows::along(&tensor, place + 2, axis)?)?;
        }
    }
    Ok(tensor)
}
