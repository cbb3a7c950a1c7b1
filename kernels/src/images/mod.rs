//! Images: convolutions, poolings, and images of other sizes or at the places of a grid.

pub mod convolution;
pub mod grid_sampler;
mod points;
pub mod pooling;
pub mod resample;
mod suppression;

pub use points::gradients_of_points;
pub use suppression::Suppression;
