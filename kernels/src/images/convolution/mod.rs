//! Convolutions, as products of matrices: `columns` sees the elements under the windows as the columns of a matrix, block by
//! block, and `products` multiplies the blocks.
//!
//! A convolution has an image, over which windows move, and a map, with one element for each position of them and each of its
//! channels. It computes the map; its gradient for the input, and the convolution that is called transposed, compute the image.

mod columns;
mod products;

pub use columns::{Geometry, Window};
pub use products::{Convolution, Part, sum_columns};
