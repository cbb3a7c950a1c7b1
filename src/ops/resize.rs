//! Images in another size, and the gradients of that.

use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The interpolation between the elements of an image.
///
/// Positions are computed in f32, as PyTorch does on a CPU; the emulator adds up the products of elements and weights in f64
/// and rounds once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interpolation {
    /// The element that begins at the position or before.
    Nearest,
    /// The element whose middle is nearest.
    NearestExact,
    /// Between the two nearest elements along each axis.
    #[doc(alias = "bilinear", alias = "trilinear")]
    Linear {
        /// Whether the first and the last elements of image and result lie on each other, and not their edges.
        align_corners: bool,
    },
    /// Between the four nearest elements along each axis, by polynomials of the third degree. Images with two axes alone.
    #[doc(alias = "bicubic")]
    Cubic {
        /// As for `Linear`.
        align_corners: bool,
    },
    /// As `Linear`, but in a smaller image over all elements for which one of the result stands, so that none is left out. Images
    /// with two axes alone.
    #[doc(alias = "antialias")]
    LinearWindow {
        /// As for `Linear`.
        align_corners: bool,
    },
    /// As `Cubic`, over twice as many elements as `LinearWindow`, and with the factor −0.5 of PyTorch's polynomials there, and not
    /// −0.75. Images with two axes alone.
    #[doc(alias = "antialias")]
    CubicWindow {
        /// As for `Linear`.
        align_corners: bool,
    },
}

use Interpolation::{Cubic, CubicWindow, Linear, LinearWindow, Nearest, NearestExact};

/// The operator for a mode and a number of axes, and the types that it takes.
#[inline]
fn operator(mode: Interpolation, axes: usize, is_gradient: bool) -> Option<(&'static str, Types)> {
    macro_rules! of {
        ($($Form:ident $function:ident, $Backward:ident $backward:ident: $mode:pat, $axes:literal;)*) => {
            match (mode, axes) {
                $(($mode, $axes) if is_gradient => Some((stringify!($Backward), signatures::$backward.takes)),
                ($mode, $axes) => Some((stringify!($Form), signatures::$function.takes)),)*
                _ => None,
            }
        };
    }
    of! {
        UpsampleNearest1d upsample_nearest1d, UpsampleNearest1dBackward upsample_nearest1d_backward: Nearest, 1;
        UpsampleNearest2d upsample_nearest2d, UpsampleNearest2dBackward upsample_nearest2d_backward: Nearest, 2;
        UpsampleNearest3d upsample_nearest3d, UpsampleNearest3dBackward upsample_nearest3d_backward: Nearest, 3;
        UpsampleNearestExact1d upsample_nearest_exact1d, UpsampleNearestExact1dBackward upsample_nearest_exact1d_backward: NearestExact, 1;
        UpsampleNearestExact2d upsample_nearest_exact2d, UpsampleNearestExact2dBackward upsample_nearest_exact2d_backward: NearestExact, 2;
        UpsampleNearestExact3d upsample_nearest_exact3d, UpsampleNearestExact3dBackward upsample_nearest_exact3d_backward: NearestExact, 3;
        UpsampleLinear1d upsample_linear1d, UpsampleLinear1dBackward upsample_linear1d_backward: Linear { .. }, 1;
        // It takes f64 too, in another storage format.
        UpsampleBilinear2d upsample_bicubic2d, UpsampleBilinear2dBackward upsample_bilinear2d_backward: Linear { .. }, 2;
        UpsampleTrilinear3d upsample_trilinear3d, UpsampleTrilinear3dBackward upsample_trilinear3d_backward: Linear { .. }, 3;
        UpsampleBicubic2d upsample_bicubic2d, UpsampleBicubic2dBackward upsample_bicubic2d_backward: Cubic { .. }, 2;
        UpsampleBilinear2dAA upsample_bilinear2d_aa, UpsampleBilinear2dAABackward upsample_bilinear2d_aa_backward: LinearWindow { .. }, 2;
        UpsampleBicubic2dAA upsample_bicubic2d_aa, UpsampleBicubic2dAAGrad upsample_bicubic2d_aa_backward: CubicWindow { .. }, 2;
    }
}

/// The operator that resizes images with the axes behind batches and channels.
#[inline]
fn checked(
    operation: &Operation<'_>,
    own: &Tensor,
    (mode, is_gradient): (Interpolation, bool),
    dims: [&[usize]; 2],
) -> Result<()> {
    operation.placed()?;
    let axes = own.rank().saturating_sub(2);
    let Some((form, types)) = operator(mode, axes, is_gradient) else {
        return Err(operation.refused(format!(
            "there are {} axes, but must be batches, channels and one to three for an image; images have two for cubic \
             interpolation and for windows",
            own.rank()
        )));
    };
    let is_empty = dims.iter().any(|dims| dims.iter().skip(1).any(|size| *size == 0));
    if dims[0].len() != dims[1].len() || dims[0].get(..2) != dims[1].get(..2) || is_empty {
        return Err(operation.refused(format!(
            "images of shape {:?} do not become {:?}: batches and channels must be the same, and no axis but that of the \
             batches may be empty",
            dims[0], dims[1]
        )));
    }
    operation.takes(form, types, own.dtype())
}

#[inline]
fn integers(dims: &[usize]) -> Vec<i64> {
    dims.iter().map(|size| *size as i64).collect()
}

/// Returns images in another size: `own` is `[batches, channels, …]` with one to three axes for an image, for each of which
/// `size` has a number.
///
/// Types are f32, f16 and bf16 (not on the 910 and the 310P, but for `NearestExact`); for `Nearest` also f64 and u8, and for
/// `NearestExact` u8, not on the 950.
///
/// ```
/// use aclnn::ops::{self, Interpolation};
/// use aclnn::{Device, Tensor};
///
/// let device = Device::open(0)?;
/// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0], [1, 1, 3])?;
/// assert_eq!(ops::interpolate(&image, &[6], Interpolation::Nearest)?.to_vec::<f32>()?, [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]);
/// let linear = Interpolation::Linear { align_corners: true };
/// assert_eq!(ops::interpolate(&image, &[5], linear)?.to_vec::<f32>()?, [1.0, 1.5, 2.0, 3.0, 4.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Argument`](crate::Error::Argument) for other axes or empty ones, [`Unsupported`](crate::Error::Unsupported), before anything
/// is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
#[doc(
    alias = "upsample",
    alias = "aclnnUpsampleNearest1d",
    alias = "aclnnUpsampleNearest2d",
    alias = "aclnnUpsampleNearest3d"
)]
#[doc(
    alias = "aclnnUpsampleNearestExact1d",
    alias = "aclnnUpsampleNearestExact2d",
    alias = "aclnnUpsampleNearestExact3d"
)]
#[doc(alias = "aclnnUpsampleLinear1d", alias = "aclnnUpsampleBilinear2d", alias = "aclnnUpsampleTrilinear3d")]
#[doc(
    alias = "aclnnUpsampleBicubic2d",
    alias = "aclnnUpsampleBilinear2dAA",
    alias = "aclnnUpsampleBicubic2dAA"
)]
#[inline]
pub fn interpolate(own: &Tensor, size: &[usize], mode: Interpolation) -> Result<Tensor> {
    let operation = Operation::new("interpolate", own.stream()).tensor("self", own);
    let dims = [own.dims().get(..2).unwrap_or_default(), size].concat();
    checked(&operation, own, (mode, false), [own.dims(), &dims])?;
    let out = operation.empty(&dims[..], own.dtype())?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let (on, size) = (operation.stream, &integers(size)[..]);
    match (mode, size.len()) {
        (Nearest, 1) => launch::UpsampleNearest1d(on.into(), own, size, &out),
        (Nearest, 2) => launch::UpsampleNearest2d(on.into(), own, size, &out),
        (Nearest, _) => launch::UpsampleNearest3d(on.into(), own, size, 0.0, 0.0, 0.0, &out),
        (NearestExact, 1) => launch::UpsampleNearestExact1d(on.into(), own, size, 0.0, &out),
        (NearestExact, 2) => launch::UpsampleNearestExact2d(on.into(), own, size, 0.0, 0.0, &out),
        (NearestExact, _) => launch::UpsampleNearestExact3d(on.into(), own, size, 0.0, 0.0, 0.0, &out),
        (Linear { align_corners }, 1) => {
            launch::UpsampleLinear1d(on.into(), own, size, align_corners, 0.0, &out)
        }
        (Linear { align_corners }, 2) => {
            launch::UpsampleBilinear2d(on.into(), own, size, align_corners, 0.0, 0.0, &out)
        }
        (Linear { align_corners }, _) => {
            launch::UpsampleTrilinear3d(on.into(), own, size, align_corners, 0.0, 0.0, 0.0, &out)
        }
        (Cubic { align_corners }, _) => {
            launch::UpsampleBicubic2d(on.into(), own, size, align_corners, 0.0, 0.0, &out)
        }
        (LinearWindow { align_corners }, _) => {
            launch::UpsampleBilinear2dAA(on.into(), own, size, align_corners, 0.0, 0.0, &out)
        }
        (CubicWindow { align_corners }, _) => {
            launch::UpsampleBicubic2dAA(on.into(), own, size, align_corners, 0.0, 0.0, &out)
        }
    }?;
    Ok(out)
}

/// Returns the gradient of [`interpolate`] for images of shape `dims`, where `grad` is the gradient for the result: each element
/// is the sum of those that it was a part of. Types are f32, f16 and, not on the 910 and the 310P, bf16.
///
/// # Errors
/// Those of [`interpolate`].
#[doc(
    alias = "aclnnUpsampleNearest1dBackward",
    alias = "aclnnUpsampleNearest2dBackward",
    alias = "aclnnUpsampleNearest3dBackward"
)]
#[doc(alias = "aclnnUpsampleNearestExact1dBackward", alias = "aclnnUpsampleNearestExact2dBackward")]
#[doc(alias = "aclnnUpsampleNearestExact3dBackward", alias = "aclnnUpsampleLinear1dBackward")]
#[doc(alias = "aclnnUpsampleBilinear2dBackward", alias = "aclnnUpsampleTrilinear3dBackward")]
#[doc(alias = "aclnnUpsampleBicubic2dBackward", alias = "aclnnUpsampleBilinear2dAABackward")]
#[doc(alias = "aclnnUpsampleBicubic2dAAGrad")]
#[inline]
pub fn interpolate_backward(grad: &Tensor, dims: &[usize], mode: Interpolation) -> Result<Tensor> {
    let operation = Operation::new("interpolate_backward", grad.stream()).tensor("grad", grad);
    checked(&operation, grad, (mode, true), [dims, grad.dims()])?;
    let out = operation.empty(dims, grad.dtype())?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let (size, dims) = (integers(grad.dims().get(2..).unwrap_or_default()), integers(dims));
    let (on, size, dims) = (operation.stream, &size[..], &dims[..]);
    match (mode, size.len()) {
        (Nearest, 1) => launch::UpsampleNearest1dBackward(on.into(), grad, size, dims, 0.0, &out),
        (Nearest, 2) => launch::UpsampleNearest2dBackward(on.into(), grad, size, dims, 0.0, 0.0, &out),
        (Nearest, _) => launch::UpsampleNearest3dBackward(on.into(), grad, size, dims, 0.0, 0.0, 0.0, &out),
        (NearestExact, 1) => launch::UpsampleNearestExact1dBackward(on.into(), grad, size, dims, 0.0, &out),
        (NearestExact, 2) => {
            launch::UpsampleNearestExact2dBackward(on.into(), grad, size, dims, 0.0, 0.0, &out)
        }
        (NearestExact, _) => {
            launch::UpsampleNearestExact3dBackward(on.into(), grad, size, dims, 0.0, 0.0, 0.0, &out)
        }
        (Linear { align_corners }, 1) => {
            launch::UpsampleLinear1dBackward(on.into(), grad, size, dims, align_corners, 0.0, &out)
        }
        (Linear { align_corners }, 2) => {
            launch::UpsampleBilinear2dBackward(on.into(), grad, size, dims, align_corners, 0.0, 0.0, &out)
        }
        (Linear { align_corners }, _) => launch::UpsampleTrilinear3dBackward(
            on.into(),
            grad,
            size,
            dims,
            align_corners,
            0.0,
            0.0,
            0.0,
            &out,
        ),
        (Cubic { align_corners }, _) => {
            launch::UpsampleBicubic2dBackward(on.into(), grad, size, dims, align_corners, 0.0, 0.0, &out)
        }
        (LinearWindow { align_corners }, _) => {
            launch::UpsampleBilinear2dAABackward(on.into(), grad, size, dims, align_corners, 0.0, 0.0, &out)
        }
        (CubicWindow { align_corners }, _) => {
            launch::UpsampleBicubic2dAAGrad(on.into(), grad, size, dims, align_corners, 0.0, 0.0, &out)
        }
    }?;
    Ok(out)
}
