//! The sizes of poolings, and what their gradients have in common.

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// The attributes of windows that move over images with `N` axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Windows<const N: usize> {
    pub(super) kernel: [usize; N],
    /// Those of the kernel, unless it is set.
    pub(super) stride: Option<[usize; N]>,
    pub(super) padding: [usize; N],
    pub(super) ceil: bool,
}

impl<const N: usize> Windows<N> {
    #[inline]
    pub(super) fn new(kernel: [usize; N]) -> Self {
        Self { kernel, stride: None, padding: [0; N], ceil: false }
    }

    #[inline]
    pub(super) fn stride(&self) -> [usize; N] {
        self.stride.unwrap_or(self.kernel)
    }

    /// The shape of what windows over a tensor give.
    #[inline]
    pub(super) fn shape(&self, operation: &Operation<'_>, own: &Tensor) -> Result<Vec<usize>> {
        let dims = own.dims();
        let (leading, sizes) = dims.split_at(dims.len().saturating_sub(N));
        if !matches!(leading, [_] | [_, _]) || dims.iter().rev().take(N + 1).any(|size| *size == 0) {
            return Err(operation.refused(format!(
                "the tensor must have an axis for channels and {N} for an image, none of them empty, perhaps after one for \
                 batches"
            )));
        }
        let mut shape = leading.to_vec();
        let attributes = self.kernel.into_iter().zip(self.stride()).zip(self.padding);
        for (size, ((kernel, stride), padding)) in sizes.iter().zip(attributes) {
            let positions = || {
                let is_possible = kernel > 0 && stride > 0 && padding <= kernel / 2;
                let most = i32::MAX as usize;
                let is_possible = is_possible && kernel <= most && stride <= most;
                let left = is_possible.then(|| size + 2 * padding)?.checked_sub(kernel);
                let left = left.or((self.ceil && is_possible).then_some(0))?;
                let positions = if self.ceil { left.div_ceil(stride) } else { left / stride } + 1;
                // No window begins behind the image.
                let is_behind = self.ceil && (positions - 1) * stride >= size + padding;
                Some(positions - usize::from(is_behind))
            };
            // A window that is larger than the image has a place only if the sizes are rounded up to one.
            let fits = || size + 2 * padding >= kernel || self.ceil && size + 2 * padding + stride > kernel;
            match positions().filter(|positions| *positions > 0 && fits()) {
                Some(positions) => shape.push(positions),
                None => {
                    return Err(operation.refused(format!(
                        "a window of {kernel} with stride {stride} and padding {padding} has no place on an axis of {size}; \
                         the padding may be half of the window at most"
                    )));
                }
            }
        }
        Ok(shape)
    }

    /// The attributes for the library.
    #[inline]
    pub(super) fn integers(&self) -> [[i64; N]; 3] {
        [self.kernel, self.stride(), self.padding].map(|numbers| numbers.map(|number| number as i64))
    }
}

/// Returns the sizes of the images of a tensor: its last axes.
#[inline]
pub(super) fn images(tensor: &Tensor, axes: usize) -> &[usize] {
    tensor.dims().get(tensor.rank().saturating_sub(axes)..).unwrap_or_default()
}

/// Starts a gradient that needs indices, and returns the sizes of the images that it is the gradient for.
#[inline]
pub(super) fn gradient<'a>(
    operator: &'static str,
    [grad, own, indices]: [&'a Tensor; 3],
    axes: usize,
) -> (Operation<'a>, &'a [usize]) {
    let operation = Operation::new(operator, own.stream());
    let operation = operation.tensor("grad", grad).tensor("self", own).tensor("indices", indices);
    (operation, images(grad, axes))
}

/// Checks that a gradient has a shape and a type.
#[inline]
pub(super) fn must_be_like(
    operation: &Operation<'_>,
    grad: &Tensor,
    own: &Tensor,
    shape: &[usize],
) -> Result<()> {
    match grad.dims() == shape && grad.dtype() == own.dtype() {
        true => Ok(()),
        false => {
            let dtype = own.dtype();
            Err(operation.refused(format!("grad must be {dtype}{shape:?}, as the result is")))
        }
    }
}
