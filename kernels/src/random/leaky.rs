//! Rectified elements with random slopes.

use super::Seeds;
use super::draws::Uniform;
use super::philox::Philox;
use crate::LaneFunction;

/// Each element times a slope, which is drawn where the element is negative and 1 elsewhere. The inputs are a lane of elements
/// and, if there are more slopes than elements, one of the slopes as they are; the outputs are lanes of the slopes and of the
/// products. All are f32.
pub fn leaky(seeds: Seeds, range: Uniform) -> LaneFunction {
    LaneFunction::new("random slopes", move |_, inputs, outputs| {
        let ([elements, kept @ ..], [slopes, products]) = (inputs, outputs) else { return Ok(()) };
        if let [kept, ..] = kept {
            slopes.copy_from_slice(kept);
        }
        let philox = seeds.of_lane(&[]);
        let elements: &[f32] = bytemuck::cast_slice(elements);
        let slopes: &mut [f32] = bytemuck::cast_slice_mut(slopes);
        let products: &mut [f32] = bytemuck::cast_slice_mut(products);
        let places = slopes.iter_mut().zip(products).zip(elements);
        let (mut words, mut drawn) = ([0; Philox::BLOCK], [0.0; Philox::BLOCK]);
        for (number, ((slope, product), element)) in places.enumerate() {
            if number % words.len() == 0 {
                philox.words(number, &mut words);
                range.fill(&words, &mut drawn);
            }
            // Rounded as it is kept, so that the product is that of the elements that are seen.
            let drawn = range.round(drawn[number % words.len()]);
            *slope = if *element < 0.0 { drawn } else { 1.0 };
            *product = element * *slope;
        }
        Ok(())
    })
}

/// Negative elements times a slope, and the others as they are. The input is a lane of elements, the output one of products.
pub fn sloped(slope: f32) -> LaneFunction {
    LaneFunction::new("slope", move |_, inputs, outputs| {
        let ([elements], [products]) = (inputs, outputs) else { return Ok(()) };
        let elements: &[f32] = bytemuck::cast_slice(elements);
        for (product, element) in bytemuck::cast_slice_mut(products).iter_mut().zip(elements) {
            *product = if *element < 0.0 { slope * element } else { *element };
        }
        Ok(())
    })
}
