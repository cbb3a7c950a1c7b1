//! An image as a tensor: it is made of ranges on the device, normalised, its channels are moved to the front, it is padded with
//! its own reflection, and a threshold chooses where it keeps its colours.
//!
//! `cargo run -p example-13-image -- image.png` writes the result; without a name it writes nothing.

use std::error::Error;
use std::fs::File;

use aclnn::ops::PadMode;
use aclnn::{DType, Device, Tensor};

const HEIGHT: usize = 144;
const WIDTH: usize = 256;
const BORDER: usize = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    let image = picture(&device)?;
    println!("{:?} {}", image.dims(), image.dtype());

    // Each channel gets the mean 0 and the standard deviation 1. [3] broadcasts over rows and columns.
    let values = (image.cast(DType::F32)? / 255)?;
    let (std, mean) = values.std_mean([0, 1])?;
    let normal = ((&values - &mean)? / &std)?;

    // Networks take the channels first. That is a view, and the padding makes a new tensor of it.
    let planes = normal.permute(&[2, 0, 1])?;
    let padded = planes.pad(&[(BORDER, BORDER), (BORDER, BORDER)], PadMode::Reflect)?;
    println!("{:?} {}", padded.dims(), padded.dtype());

    // Where the mean of the channels is above a threshold, the colours stay; elsewhere the mean does.
    let grey = aclnn::ops::mean(&padded).axes(0).keep_dims().run()?;
    let bright = grey.gt(0.25)?;
    let chosen = bright.where_(&padded, &grey)?;
    let share = bright.cast(DType::F32)?.mean(..)?.item::<f32>()?;
    println!("{:.1} % of the pixels are bright", 100.0 * share);

    // Back to bytes in rows of pixels.
    let bytes = ((chosen.permute(&[1, 2, 0])? * &std)? + &mean)?.clamp(0, 1)?;
    let bytes = (bytes * 255)?.round()?.cast(DType::U8)?;
    println!("{:?} {}", bytes.dims(), bytes.dtype());
    if let Some(path) = std::env::args().nth(1) {
        write(&path, &bytes)?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Waves of three colours, as bytes `[HEIGHT, WIDTH, 3]`.
fn picture(device: &Device) -> aclnn::Result<Tensor> {
    let y = Tensor::linspace(device, -1.2, 1.2, HEIGHT, DType::F32)?.reshape([HEIGHT, 1, 1])?;
    let x = Tensor::linspace(device, -2.1, 2.1, WIDTH, DType::F32)?.reshape([1, WIDTH, 1])?;
    // The centres of the waves of red, green and blue.
    let centres = Tensor::from_slice(device, &[-0.8f32, -0.1, 0.9, 0.1, -0.4, 0.3], [2, 1, 1, 3])?;
    let across = (x - centres.select(0, 0)?)?.square()?;
    let down = (y - centres.select(0, 1)?)?.square()?;
    let distance = (across + down)?.sqrt()?;
    let waves = ((distance * 9)?.cos()? * 110)?;
    (waves + 128)?.cast(DType::U8)
}

/// Writes bytes `[height, width, 3]` as an image.
fn write(path: &str, bytes: &Tensor) -> Result<(), Box<dyn Error>> {
    let &[height, width, _] = bytes.dims() else { return Err("an image has three axes".into()) };
    let mut encoder = png::Encoder::new(File::create(path)?, width.try_into()?, height.try_into()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&bytes.to_vec::<u8>()?)?;
    Ok(())
}

// Output:
// [144, 256, 3] u8
// [3, 192, 304] f32
// 35.4 % of the pixels are bright
// [192, 304, 3] u8
// wrote image.png
