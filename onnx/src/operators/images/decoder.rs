//! Files of images, decoded on the host.

use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

#[cfg(not(feature = "images"))]
pub(super) fn image_decoder(_: &Node) -> NodeResult<Prepared> {
    Reason::missing(
        "it needs the feature `images` of aclnn-onnx; build with it, or give decoded images to the model",
    )
}

/// The most bytes of a decoded image.
#[cfg(feature = "images")]
const MOST: u64 = 1 << 30;

#[cfg(feature = "images")]
pub(super) fn image_decoder(node: &Node) -> NodeResult<Prepared> {
    use std::io::Cursor;

    use crate::array::Array;
    use aclnn::DType;

    let format = node.text("pixel_format", "RGB")?;
    if !matches!(format.as_str(), "RGB" | "BGR" | "Grayscale") {
        return Reason::text(format!("its pixel format is {format:?}, neither RGB nor BGR nor Grayscale"));
    }
    Ok(Prepared::host("images are decoded on the host", move |call| {
        let file = call.array(0)?;
        let broken = |error: image::ImageError| Reason::Text(format!("the image: {error}"));
        let mut reader = image::ImageReader::new(Cursor::new(file.bytes()));
        let mut limits = image::Limits::default();
        limits.max_alloc = Some(MOST);
        reader.limits(limits);
        let reader = reader.with_guessed_format().map_err(|error| broken(error.into()))?;
        let image = reader.decode().map_err(broken)?;
        let (width, height) = (image.width() as usize, image.height() as usize);
        let (bytes, channels) = match format.as_str() {
            "Grayscale" => (grey(image), 1),
            _ => (image.into_rgb8().into_raw(), 3),
        };
        let image = Array::new(DType::U8, [height, width, channels], bytes)?;
        match format.as_str() {
            "BGR" => {
                let places = (0..image.numel()).map(|place| place / 3 * 3 + 2 - place % 3);
                Ok(image.take(places, image.shape().clone())?)
            }
            _ => Ok(image),
        }
    }))
}

/// Returns the brightness of each pixel, with the weights of ITU-R 601.
#[cfg(feature = "images")]
fn grey(image: image::DynamicImage) -> Vec<u8> {
    if let image::DynamicImage::ImageLuma8(image) = image {
        return image.into_raw();
    }
    let sum = |pixel: &[u8; 3]| {
        let weights = [19595u32, 38470, 7471];
        pixel.iter().zip(weights).map(|(&part, weight)| u32::from(part) * weight).sum::<u32>() + 0x8000
    };
    image.into_rgb8().into_raw().as_chunks::<3>().0.iter().map(|pixel| (sum(pixel) >> 16) as u8).collect()
}
