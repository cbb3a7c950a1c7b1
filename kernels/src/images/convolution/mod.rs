//! Convolutions: `products` computes them in blocks, pass by pass. `axes` tells which elements a position sums up, `source` where
//! they lie in a block, and `pass` what is known before there are elements. `columns` sees the elements under the windows as the
//! columns of a matrix.
//!
//! A convolution has an image, over which windows move, and a map, with one element for each position of them and each of its
//! channels. It computes the map; its gradient for the input, and the convolution that is called transposed, compute the image.

mod axes;
mod columns;
mod pass;
mod products;
mod source;
#[cfg(test)]
mod tests;

pub use columns::{Geometry, Part, Window};
pub use products::{Convolution, sum_columns};
