//! Elements of images at places that a grid gives, the gradients of that, and the grids of affine maps.

use aclnn_numerics::DType;

use super::prepared::prepared;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The interpolation at places between the elements of an image.
///
/// Places are computed in f32 for elements of f32, f16 and bf16, as PyTorch does on a CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SampleMode {
    /// Between the two nearest elements along each axis.
    #[default]
    #[doc(alias = "bilinear")]
    Linear,
    /// The nearest element; of two, the one with an even number.
    Nearest,
    /// Between the four nearest elements along each axis, by polynomials of the third degree. Images with two axes alone.
    #[doc(alias = "bicubic")]
    Cubic,
}

/// The elements that lie beyond the edges of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SamplePadding {
    /// Zeros.
    #[default]
    Zeros,
    /// The elements at the edge, again and again.
    Border,
    /// The image, turned back at its edges as often as it takes.
    Reflection,
}

/// Elements of images at the places of a grid, with options.
///
/// Types are f32, f64, f16 and, not on the 910 and the 310P, bf16: as CANN does not list them, those of the emulator.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct GridSample<'a> {
    own: &'a Tensor,
    grid: &'a Tensor,
    mode: SampleMode,
    padding: SamplePadding,
    aligned: bool,
    stream: Option<&'a Stream>,
}

/// Prepares the elements of images at the places of a grid.
///
/// `own` is `[batches, channels, rows, columns]`, or has planes before the rows; `grid`, of the same type, is
/// `[batches, rows, columns, 2]` or `[batches, planes, rows, columns, 3]` for a result with so many rows and columns. Its
/// coordinates are that of the column first, then those of the row and of the plane; −1 and 1 are the edges of the image. A
/// coordinate that is NaN lies beyond the image.
///
/// ```
/// use aclnn::ops::{self, SamplePadding};
/// use aclnn::{Device, Tensor};
///
/// let device = Device::open(0)?;
/// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2])?;
/// let grid = Tensor::from_slice(&device, &[0.0f32, 0.0, 0.5, -0.5, 1.5, 0.5], [1, 1, 3, 2])?;
/// let sample = ops::grid_sample(&image, &grid);
/// assert_eq!(sample.run()?.to_vec::<f32>()?, [2.5, 2.0, 0.0]);
/// assert_eq!(sample.clone().padding(SamplePadding::Border).run()?.to_vec::<f32>()?, [2.5, 2.0, 4.0]);
/// // How the first result changes with its place, which is half an image per element away.
/// let ones = Tensor::from_slice(&device, &[1.0f32, 0.0, 0.0], [1, 1, 1, 3])?;
/// let (to_image, to_grid) = sample.backward(&ones)?;
/// assert_eq!(to_image.to_vec::<f32>()?, [0.25; 4]);
/// assert_eq!(to_grid.to_vec::<f32>()?, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[inline]
pub fn grid_sample<'a>(own: &'a Tensor, grid: &'a Tensor) -> GridSample<'a> {
    let (mode, padding) = (SampleMode::default(), SamplePadding::default());
    GridSample { own, grid, mode, padding, aligned: false, stream: None }
}

prepared! {
    ['a] GridSample<'a>:
    on("the images")
}

impl<'a> GridSample<'a> {
    /// Sets how elements between those of an image are found; the default is linear.
    #[inline]
    pub fn mode(mut self, mode: SampleMode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets what lies beyond an image; the default is zeros.
    #[inline]
    pub fn padding(mut self, padding: SamplePadding) -> Self {
        self.padding = padding;
        self
    }

    /// Lets −1 and 1 be the middles of the first and the last element, and not their edges.
    #[inline]
    pub fn align_corners(mut self) -> Self {
        self.aligned = true;
        self
    }

    #[inline]
    fn operation(&self, name: &'static str) -> Operation<'a> {
        let stream = self.stream.unwrap_or(self.own.stream());
        Operation::new(name, stream).tensor("self", self.own).tensor("grid", self.grid)
    }

    /// The attributes of the operators.
    #[inline]
    fn attributes(&self) -> (i64, i64, bool) {
        let mode = match self.mode {
            SampleMode::Linear => 0,
            SampleMode::Nearest => 1,
            SampleMode::Cubic => 2,
        };
        let padding = match self.padding {
            SamplePadding::Zeros => 0,
            SamplePadding::Border => 1,
            SamplePadding::Reflection => 2,
        };
        (mode, padding, self.aligned)
    }

    /// The shape of the result.
    #[inline]
    fn shape(&self, operation: &Operation<'_>) -> Result<Vec<usize>> {
        operation.placed()?;
        let (form, types) = match self.own.rank() {
            5 => ("GridSampler3D", signatures::grid_sampler3d.takes),
            _ => ("GridSampler2D", signatures::grid_sampler2d.takes),
        };
        operation.takes(form, types, self.own.dtype())?;
        let (own, grid) = (self.own.dims(), self.grid.dims());
        let ([batches, channels, image @ ..], [of, places @ .., coordinates]) = (own, grid) else {
            return Err(operation.refused("there must be batches of images, and of places".to_owned()));
        };
        let fits = matches!(image.len(), 2 | 3) && places.len() == image.len() && *coordinates == image.len();
        if !fits || batches != of || image.contains(&0) {
            return Err(operation.refused(
                "self must be batches, channels and the two or three axes of an image, none of which may be empty; grid must have \
                 as many batches, places along as many axes, and a coordinate for each axis"
                    .to_owned(),
            ));
        }
        if self.grid.dtype() != self.own.dtype() {
            return Err(operation.refused("self and grid must have one type".to_owned()));
        }
        if self.mode == SampleMode::Cubic && image.len() == 3 {
            return Err(operation.refused("images have two axes for cubic interpolation".to_owned()));
        }
        Ok([&[*batches, *channels], places].concat())
    }

    /// Queues the operation and returns the elements, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for shapes, types or options that do not go together,
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnGridSampler2D", alias = "aclnnGridSampler3D")]
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let operation = self.operation("grid_sample");
        let shape = self.shape(&operation)?;
        let out = operation.empty(&shape[..], self.own.dtype())?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let (mode, padding, aligned) = self.attributes();
        let call = if shape.len() == 5 { launch::GridSampler3D } else { launch::GridSampler2D };
        call(operation.stream.into(), self.own, self.grid, mode, padding, aligned, &out)?;
        Ok(out)
    }

    /// Queues the gradients for the images and for the grid, and returns them in this order; `grad` is the gradient for the
    /// result. A place beyond the image that counts as one of its edge does not change it, nor does one of the nearest element.
    ///
    /// # Errors
    /// As [`GridSample::run`]; `Argument` also if the gradient has another shape or type than the result.
    #[doc(alias = "aclnnGridSampler2DBackward", alias = "aclnnGridSampler3DBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor) -> Result<(Tensor, Tensor)> {
        let operation = self.operation("grid_sample_backward").tensor("grad", grad);
        let (shape, dtype): (_, DType) = (self.shape(&operation)?, self.own.dtype());
        if grad.dims() != shape || grad.dtype() != dtype {
            return Err(operation.refused(format!("grad must be {dtype}{shape:?}, as the result is")));
        }
        if grad.numel() == 0 {
            let zeros = |of: &Tensor| Tensor::zeros(operation.stream, of.dims(), dtype);
            return Ok((zeros(self.own)?, zeros(self.grid)?));
        }
        let to_images = operation.empty(self.own.dims(), dtype)?;
        let to_grid = operation.empty(self.grid.dims(), dtype)?;
        let (mode, padding, aligned) = self.attributes();
        let call =
            if shape.len() == 5 { launch::GridSampler3DBackward } else { launch::GridSampler2DBackward };
        call(
            operation.stream.into(),
            grad,
            self.own,
            self.grid,
            mode,
            padding,
            aligned,
            &[true; 2],
            Some(&to_images),
            Some(&to_grid),
        )?;
        Ok((to_images, to_grid))
    }
}

/// Returns the grid for [`grid_sample`] that sends each place of a result with so many rows and columns, or planes, rows and
/// columns, through an affine map.
///
/// `maps` is `[batches, 2, 3]` or `[batches, 3, 4]`: a row for each coordinate, that of the column first, with factors for the
/// coordinates of a place and a number that is added. With `align_corners`, −1 and 1 are the middles of the first and the last
/// element along an axis, and not their edges; the place of a single element is 0. Types are those of [`GridSample`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// // Half the size, and a quarter of the image to the right.
/// let map = Tensor::from_slice(&device, &[0.5f32, 0.0, 0.5, 0.0, 0.5, 0.0], [1, 2, 3])?;
/// let grid = ops::affine_grid(&map, &[1, 2], true)?;
/// assert_eq!(grid.to_vec::<f32>()?, [0.0, 0.0, 1.0, 0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Argument`](crate::Error::Argument) for maps or sizes of other shapes, [`Unsupported`](crate::Error::Unsupported), before
/// anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
#[doc(alias = "aclnnAffineGrid")]
#[inline]
pub fn affine_grid(maps: &Tensor, size: &[usize], align_corners: bool) -> Result<Tensor> {
    let operation = Operation::new("affine_grid", maps.stream()).tensor("maps", maps);
    operation.placed()?;
    operation.takes("AffineGrid", signatures::affine_grid.takes, maps.dtype())?;
    let axes = size.len();
    let batches = match maps.dims() {
        [batches, rows, columns] if *rows == axes && *columns == axes + 1 && *batches > 0 => *batches,
        _ => {
            return Err(operation.refused(format!(
                "for {axes} axes, maps must have a batch, {axes} rows and {} columns",
                axes + 1
            )));
        }
    };
    if !matches!(axes, 2 | 3) || size.contains(&0) {
        return Err(operation
            .refused(format!("the size is {size:?}, but must be two or three axes, none of them empty")));
    }
    let out = operation.empty(&[&[batches], size, &[axes]].concat()[..], maps.dtype())?;
    let sizes: Vec<i64> = [&[batches, 1], size].concat().into_iter().map(|size| size as i64).collect();
    launch::AffineGrid(operation.stream.into(), maps, &sizes, align_corners, &out)?;
    Ok(out)
}
