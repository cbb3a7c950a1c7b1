//! Pools of regions of images.
//!
//! Where the regions are, and how many elements each part of them has, is worked out on the host; the elements are taken and
//! combined on the device.

use std::collections::BTreeMap;

use aclnn::{DType, Tensor, ops};

use super::super::convolution::windows::sizes;
use super::super::products::product;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

/// The most elements that are taken at once.
const MOST: usize = 1 << 26;

/// The most parts of a region along an axis, and the most points of a part.
const MOST_PARTS: usize = 1 << 16;

/// The elements along an axis that make the parts of regions, with weights: for each region and each part as many.
struct Taps {
    parts: usize,
    each: usize,
    places: Vec<i64>,
    weights: Vec<f32>,
}

/// The rule by which the elements of a part become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combine {
    Sum,
    Greatest,
}

impl Taps {
    /// Collects the elements of the parts of all regions. Shorter lists are filled with their first element, which counts once
    /// in a sum.
    fn of(parts: usize, lists: &[Vec<(i64, f32)>], combine: Combine) -> Taps {
        let each = lists.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut taps = Taps { parts, each, places: Vec::new(), weights: Vec::new() };
        for list in lists {
            let first = list.first().copied().unwrap_or((0, 0.0));
            let filling = if combine == Combine::Sum { (first.0, 0.0) } else { first };
            for (place, weight) in list.iter().copied().chain(std::iter::repeat(filling)).take(each) {
                taps.places.push(place);
                taps.weights.push(weight);
            }
        }
        taps
    }

    /// Returns the elements of some regions.
    fn some(&self, regions: &[usize]) -> Taps {
        let count = self.parts * self.each;
        let of = |region: usize| region * count..(region + 1) * count;
        let places = regions.iter().flat_map(|&region| self.places.get(of(region)).unwrap_or_default());
        let weights = regions.iter().flat_map(|&region| self.weights.get(of(region)).unwrap_or_default());
        Taps { places: places.copied().collect(), weights: weights.copied().collect(), ..*self }
    }

    /// Returns the weights as matrices, `[regions · parts, size]`.
    fn matrix(&self, size: usize) -> Vec<f32> {
        let rows = self.places.len() / self.each.max(1);
        let mut matrix = vec![0.0; rows * size];
        for (number, (&place, weight)) in self.places.iter().zip(&self.weights).enumerate() {
            if let Some(element) = matrix.get_mut(number / self.each * size + place as usize) {
                *element += weight;
            }
        }
        matrix
    }
}

/// Pools the regions of images: `batches` says in which image each of them is.
fn pooled(
    call: &Call<'_>,
    x: &Tensor,
    batches: &[i64],
    [rows, columns]: [&Taps; 2],
    combine: Combine,
) -> NodeResult<Tensor> {
    let &[images, channels, height, width] = x.dims() else {
        return Reason::text(format!("images of {:?} do not have two axes", x.dims()));
    };
    let dims = [batches.len(), channels, rows.parts, columns.parts];
    if batches.is_empty() || channels == 0 || height == 0 || width == 0 {
        return Ok(Tensor::zeros(call.stream(), dims, x.dtype())?);
    }
    let mut of_images: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (region, &image) in batches.iter().enumerate() {
        if image < 0 || image >= images as i64 {
            return Reason::text(format!("a region is in image {image} of {images}"));
        }
        of_images.entry(image).or_default().push(region);
    }
    let is_product = combine == Combine::Sum && x.dtype() != DType::F64;
    let each = match is_product {
        true => channels * rows.parts * width,
        false => channels * rows.parts * rows.each * width.max(columns.parts * columns.each),
    };
    let at_once = (MOST / each.max(1)).max(1);
    let (mut done, mut order) = (Vec::new(), vec![0i64; batches.len()]);
    let mut next = 0;
    for (image, regions) in of_images {
        let own = x.select(0, image)?.contiguous()?;
        for regions in regions.chunks(at_once) {
            let some = [&rows.some(regions), &columns.some(regions)];
            done.push(match is_product {
                true => by_products(call, &own, regions.len(), some)?,
                false => by_elements(call, &own, regions.len(), some, combine)?,
            });
            for &region in regions {
                if let Some(place) = order.get_mut(region) {
                    *place = next;
                    next += 1;
                }
            }
        }
    }
    let all = ops::cat(&done.iter().collect::<Vec<_>>(), 0).run()?;
    Ok(all.index_select(0, &Tensor::from_slice(call.stream(), &order, [order.len()])?)?)
}

/// Sums weighted elements of regions of one image as products of matrices.
fn by_products(
    call: &Call<'_>,
    image: &Tensor,
    regions: usize,
    [rows, columns]: [&Taps; 2],
) -> NodeResult<Tensor> {
    let &[channels, height, width] = image.dims() else { return Reason::text("an image has other axes") };
    let stream = call.stream();
    let of_rows = Tensor::from_slice(stream, &rows.matrix(height), [regions * rows.parts, height])?;
    let of_columns = Tensor::from_slice(stream, &columns.matrix(width), [regions, columns.parts, width])?;
    let lines = product(&of_rows, image)?.reshape([channels, regions, rows.parts, width])?;
    let lines = lines.swapaxes(0, 1)?.contiguous()?.reshape([regions, channels * rows.parts, width])?;
    let pooled = product(&lines, &of_columns.swapaxes(1, 2)?)?;
    Ok(pooled.reshape([regions, channels, rows.parts, columns.parts])?)
}

/// Takes the weighted elements of regions of one image, and combines them.
fn by_elements(
    call: &Call<'_>,
    image: &Tensor,
    regions: usize,
    [rows, columns]: [&Taps; 2],
    combine: Combine,
) -> NodeResult<Tensor> {
    let &[channels, _, width] = image.dims() else { return Reason::text("an image has other axes") };
    let (stream, dtype) = (call.stream(), image.dtype());
    let (down, across) = (rows.parts * rows.each, columns.parts * columns.each);
    let weights = |taps: &Taps, shape: [usize; 3]| -> NodeResult<Tensor> {
        call.as_type(Tensor::from_slice(stream, &taps.weights, shape)?, dtype)
    };
    let places = Tensor::from_slice(stream, &rows.places, [regions * down])?;
    let lines = image.index_select(1, &places)?.reshape([channels, regions, down, width])?;
    let lines = lines.mul(&weights(rows, [regions, down, 1])?)?;
    let lines = lines.swapaxes(0, 1)?.contiguous()?.reshape([regions, channels * down, width])?;
    let places = Tensor::from_slice(stream, &columns.places, [regions, 1, across])?;
    let places = places.broadcast_to([regions, channels * down, across])?.contiguous()?;
    let elements = lines.gather(2, &places)?.mul(&weights(columns, [regions, 1, across])?)?;
    let elements =
        elements.reshape([regions * channels, rows.parts, rows.each, columns.parts, columns.each])?;
    let pooled = match combine {
        Combine::Sum => ops::sum(&elements).axes([2, 4]).run()?,
        Combine::Greatest => ops::max(&elements).axes([2, 4]).run()?,
    };
    Ok(pooled.reshape([regions, channels, rows.parts, columns.parts])?)
}

/// Returns an attribute that is a size.
fn size(node: &Node, name: &str, default: i64) -> NodeResult<usize> {
    match usize::try_from(node.int(name, default)?) {
        Ok(size) if size <= MOST_PARTS => Ok(size),
        _ => Reason::text(format!("its attribute `{name}` is negative or too large")),
    }
}

pub(super) fn roi_align(node: &Node, transform: &str) -> NodeResult<Prepared> {
    let transform = match node.version {
        ..16 => transform.to_owned(),
        _ => node.text("coordinate_transformation_mode", transform)?,
    };
    let by_middles = match transform.as_str() {
        "half_pixel" => true,
        "output_half_pixel" => false,
        other => return Reason::text(format!("its `coordinate_transformation_mode` is `{other}`")),
    };
    let combine = match node.text("mode", "avg")?.as_str() {
        "avg" => Combine::Sum,
        "max" => Combine::Greatest,
        other => return Reason::text(format!("its `mode` is `{other}`")),
    };
    let parts = [size(node, "output_height", 1)?, size(node, "output_width", 1)?];
    let samples = size(node, "sampling_ratio", 0)?;
    let scale = node.float("spatial_scale", 1.0)?;
    let grid = Grid { scale, by_middles, samples, combine };
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let regions = call.array(1)?.cast(DType::F32)?.to_vec::<f32>()?;
        let batches = call.ints(2)?;
        if regions.len() != 4 * batches.len() {
            return Reason::text(format!(
                "{} numbers are not those of {} regions",
                regions.len(),
                batches.len()
            ));
        }
        let [height, width] = match *x.dims() {
            [_, _, height, width] => [height, width],
            _ => return Reason::text(format!("images of {:?} do not have two axes", x.dims())),
        };
        let [down, across] = parts;
        let rows = grid.taps(&regions, 1, down, height)?;
        let columns = grid.taps(&regions, 0, across, width)?;
        call.as_type(pooled(call, &call.wide(&x)?, &batches, [&rows, &columns], combine)?, x.dtype())
    }))
}

/// The points of regions that are combined.
#[derive(Debug, Clone, Copy)]
struct Grid {
    scale: f32,
    /// Coordinates are those of the middles of elements.
    by_middles: bool,
    /// The number of points that a part has along an axis; 0 for one for each element.
    samples: usize,
    combine: Combine,
}

impl Grid {
    /// Returns the elements around the points along an axis; the numbers of regions are their start and their end along this axis
    /// and the other one.
    fn taps(&self, regions: &[f32], axis: usize, parts: usize, size: usize) -> NodeResult<Taps> {
        let offset = if self.by_middles { 0.5 } else { 0.0 };
        let mut lists = Vec::with_capacity(regions.len() / 4 * parts);
        for region in regions.chunks_exact(4) {
            let edge = |number: usize| region.get(number).copied().unwrap_or(0.0) * self.scale - offset;
            let (start, end) = (edge(axis), edge(axis + 2));
            let length = if self.by_middles { end - start } else { (end - start).max(1.0) };
            let part = length / parts as f32;
            let samples = if self.samples > 0 { self.samples } else { part.ceil().max(0.0) as usize };
            if samples > MOST_PARTS {
                return Reason::text(format!("the region {region:?} is too large"));
            }
            let share = if self.combine == Combine::Sum { 1.0 / samples.max(1) as f32 } else { 1.0 };
            for number in 0..parts {
                let mut list = Vec::with_capacity(2 * samples);
                for sample in 0..samples {
                    let within = (sample as f32 + 0.5) * part / samples as f32;
                    list.extend(around(start + number as f32 * part + within, size, share));
                }
                lists.push(list);
            }
        }
        Ok(Taps::of(parts, &lists, self.combine))
    }
}

/// Returns the two elements around a point, with their weights.
fn around(point: f32, size: usize, share: f32) -> [(i64, f32); 2] {
    let last = size as i64 - 1;
    if !(-1.0..=size as f32).contains(&point) {
        return [(0, 0.0); 2];
    }
    let point = point.max(0.0);
    let low = point as i64;
    if low >= last {
        return [(last, share), (last, 0.0)];
    }
    let rest = point - low as f32;
    [(low, (1.0 - rest) * share), (low + 1, rest * share)]
}

pub(super) fn max_roi_pool(node: &Node) -> NodeResult<Prepared> {
    let scale = node.float("spatial_scale", 1.0)?;
    let parts = sizes("pooled_shape", &node.ints("pooled_shape")?.unwrap_or_default(), 1)?;
    let (&[down, across], true) = (parts.as_slice(), parts.iter().all(|parts| *parts <= MOST_PARTS)) else {
        return Reason::text(format!("its `pooled_shape` is {parts:?}"));
    };
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let regions = call.array(1)?.cast(DType::F32)?.to_vec::<f32>()?;
        let (&[_, _, height, width], 0) = (x.dims(), regions.len() % 5) else {
            return Reason::text(format!(
                "images of {:?} and regions of {} numbers",
                x.dims(),
                regions.len()
            ));
        };
        let batches: Vec<i64> =
            regions.chunks_exact(5).filter_map(<[f32]>::first).map(|&image| image as i64).collect();
        let rows = whole_elements(&regions, 2, (down, height), scale);
        let columns = whole_elements(&regions, 1, (across, width), scale);
        call.as_type(
            pooled(call, &call.wide(&x)?, &batches, [&rows, &columns], Combine::Greatest)?,
            x.dtype(),
        )
    }))
}

/// Returns the elements of the parts of regions whose edges are rounded.
fn whole_elements(regions: &[f32], axis: usize, (parts, size): (usize, usize), scale: f32) -> Taps {
    let mut lists = Vec::with_capacity(regions.len() / 5 * parts);
    for region in regions.chunks_exact(5) {
        let edge = |number: usize| {
            let edge = region.get(number).copied().unwrap_or(0.0) * scale;
            edge.round().clamp(i32::MIN as f32, i32::MAX as f32) as i64
        };
        let (start, end) = (edge(axis), edge(axis + 2));
        let part = (end - start + 1).max(1) as f32 / parts as f32;
        for number in 0..parts {
            let inside = |place: i64| (place + start).clamp(0, size as i64);
            let first = inside((number as f32 * part).floor() as i64);
            let behind = inside(((number + 1) as f32 * part).ceil() as i64);
            lists.push((first..behind).map(|place| (place, 1.0)).collect());
        }
    }
    Taps::of(parts, &lists, Combine::Greatest)
}
