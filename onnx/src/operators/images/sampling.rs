//! Elements of images at the places of a grid, and grids of affine maps.

use aclnn::ops::{self, SampleMode, SamplePadding};

use super::super::convolution::windows::sizes;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

pub(super) fn grid_sample(node: &Node) -> NodeResult<Prepared> {
    let mode = match node.text("mode", "linear")?.as_str() {
        "linear" | "bilinear" => SampleMode::Linear,
        "nearest" => SampleMode::Nearest,
        "cubic" | "bicubic" => SampleMode::Cubic,
        other => return Reason::text(format!("its `mode` is `{other}`")),
    };
    let padding = match node.text("padding_mode", "zeros")?.as_str() {
        "zeros" => SamplePadding::Zeros,
        "border" => SamplePadding::Border,
        "reflection" => SamplePadding::Reflection,
        other => return Reason::text(format!("its `padding_mode` is `{other}`")),
    };
    let aligned = node.flag("align_corners", false)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let images = call.wide(&x)?;
        let grid = call.as_type(call.tensor(1)?, images.dtype())?;
        let sample = ops::grid_sample(&images, &grid).mode(mode).padding(padding);
        let sample = if aligned { sample.align_corners() } else { sample };
        call.as_type(sample.run()?, x.dtype())
    }))
}

pub(super) fn affine_grid(node: &Node) -> NodeResult<Prepared> {
    let aligned = node.flag("align_corners", false)?;
    Ok(Prepared::device(move |call| {
        let maps = call.tensor(0)?;
        let size = sizes("size", &call.ints(1)?, 1)?;
        let [batches, _, image @ ..] = size.as_slice() else {
            return Reason::text("its size has no axes for batches and channels");
        };
        if maps.dims().first() != Some(batches) {
            return Reason::text(format!("there are not {batches} maps"));
        }
        call.widened([&maps], |[maps]| {
            let mut grid = ops::affine_grid(maps, image, aligned)?;
            // A single element is the first one, at −1, and not in the middle, at 0.
            let singles = image.iter().rev().enumerate().filter(|(_, size)| aligned && **size == 1);
            for (coordinate, _) in singles {
                let column = maps.narrow(2, coordinate, 1)?.swapaxes(1, 2)?;
                let column = if image.len() == 3 {
                    column.unsqueeze(1)?.unsqueeze(1)?
                } else {
                    column.unsqueeze(1)?
                };
                grid = grid.sub(&column)?;
            }
            Ok(grid)
        })
    }))
}
