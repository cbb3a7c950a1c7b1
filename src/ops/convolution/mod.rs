//! Convolutions of images, their gradients, and the sum of windows.
//!
//! `builder` holds the options and the calls, `sizes` the shapes, and `col2im` puts columns back.

mod builder;
mod col2im;
mod sizes;

pub use builder::{
    Convolution, ConvolutionGradients, conv_transpose1d, conv_transpose2d, conv_transpose3d, conv1d, conv2d,
    conv3d,
};
pub use col2im::{Col2im, col2im};
