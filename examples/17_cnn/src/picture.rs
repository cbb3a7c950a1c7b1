//! Digits as text and as an image.

use std::error::Error;
use std::fs::File;

use aclnn::ops::{self, Interpolation, PadMode};
use aclnn::{DType, Result, Tensor};

use crate::network::Network;

/// Prints images beside each other, and under each which digits it may be, with their probabilities.
pub(crate) fn print(images: &Tensor, likely: &Tensor, digits: &Tensor) -> Result<()> {
    const SHADES: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];
    let rows = (images.squeeze(1)? * 4)?.round()?.cast(DType::I64)?.transpose(0, 1)?; // [rows, images, columns]
    for row in rows.to_vec3::<i64>()? {
        let row: Vec<String> =
            row.iter().map(|shades| shades.iter().map(|shade| SHADES[*shade as usize]).collect()).collect();
        println!("{}", row.join("  ").trim_end());
    }
    for (likely, digits) in likely.t()?.to_vec2::<f32>()?.iter().zip(digits.t()?.to_vec2::<i64>()?) {
        let row: Vec<String> = likely
            .iter()
            .zip(digits)
            .map(|(likely, digit)| format!("{:<16}", format!("{digit}: {:.0} %", 100.0 * likely)))
            .collect();
        println!("{}", row.join("  ").trim_end());
    }
    Ok(())
}

/// Rows and columns of the image for each pixel of a digit, and those of a digit with a pixel around it.
const SCALE: usize = 12;
const TILE: usize = 10 * SCALE;

/// Writes an image with ten digits, and below each one where the network looks: what speaks for the digit is bright.
pub(crate) fn write(
    path: &str,
    network: &Network,
    images: &Tensor,
    labels: &Tensor,
) -> std::result::Result<(), Box<dyn Error>> {
    // The first image of each digit.
    let firsts: Vec<Tensor> =
        (0..10).map(|digit| labels.eq(digit)?.cast(DType::I64)?.argmax(0)).collect::<Result<_>>()?;
    let firsts = Tensor::stack(&firsts.iter().collect::<Vec<_>>(), 0)?;
    let images = images.index_select(0, &firsts)?;

    // For each image the places that speak for its own digit, from 0 to 1.
    let places = network.places(&network.features(&images)?)?; // [10, 10, 4, 4]
    let places = places.diagonal(0, 0, 1)?.permute(&[2, 0, 1])?.unsqueeze(1)?.cast(DType::F32)?;
    let smooth = Interpolation::Cubic { align_corners: false };
    let places = places.interpolate(&[8 * SCALE, 8 * SCALE], smooth)?;
    let heat = (&places / ops::max(&places).axes([1, 2, 3]).keep_dims().run()?)?.clamp(0, 1)?;
    let heat = heat.pad(&[(SCALE, SCALE); 2], PadMode::Replicate)?;

    let images = images.cast(DType::F32)?.pad(&[(1, 1); 2], PadMode::constant(0))?;
    let pixels = images.interpolate(&[TILE, TILE], Interpolation::Nearest)?;
    let ink = images.interpolate(&[TILE, TILE], smooth)?.clamp(0, 1)?;
    // Colours are [3, 1, 1], which broadcast over the images and their places.
    let colour = |parts: [f32; 3]| Tensor::from_slice(images.device(), &parts, [3, 1, 1]);
    let (paper, cold, hot) =
        (colour([0.06, 0.07, 0.12])?, colour([0.16, 0.30, 0.62])?, colour([1.0, 0.82, 0.25])?);
    let between = |from: &Tensor, to: &Tensor, share: &Tensor| (share * (to - from)?)? + from;
    let seen = between(&between(&paper, &cold, &(&heat * 0.4f32)?)?, &between(&cold, &hot, &heat)?, &ink)?;
    let plain = between(&paper, &colour([1.0; 3])?, &pixels)?;

    // [10, 3, TILE, TILE] → one row of tiles, [3, TILE, 10 · TILE].
    let row = |tiles: Tensor| tiles.permute(&[1, 2, 0, 3])?.contiguous()?.flatten(2, 3);
    let sheet = Tensor::cat(&[&row(plain)?, &row(seen)?], 1)?;
    let bytes = (sheet.permute(&[1, 2, 0])? * 255)?.round()?.cast(DType::U8)?;

    let (height, width, _) = bytes.dims3()?;
    let mut encoder = png::Encoder::new(File::create(path)?, width.try_into()?, height.try_into()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&bytes.to_vec::<u8>()?)?;
    Ok(())
}
