//! Elements of images at places that a grid gives, the gradients of that, and the grids of affine maps.
//!
//! A grid has coordinates for each place, that of the last axis of an image first; −1 and 1 are the ends of an axis.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::images::resample::{CUBIC, Number, cubic};
use crate::views::instructions::for_instructions;

/// The interpolation between the elements of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    Linear,
    Nearest,
    Cubic,
}

/// The elements that lie beyond the edges of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    Zeros,
    /// The elements at the edge, again and again.
    Border,
    /// The image, turned back at its edges.
    Reflection,
}

/// The parameters of sampling from images.
#[derive(Clone, Debug)]
pub struct Sampling {
    pub between: Between,
    pub beyond: Beyond,
    /// Whether the ends of an axis are the middles of its first and last element, and not their edges.
    pub is_aligned: bool,
    /// Whether places are computed in f64, and not in f32, whose roundings decide which element is nearest.
    pub is_f64: bool,
    /// The sizes of an image, which has two axes or three.
    pub sizes: Vec<usize>,
}

/// An element along an axis.
#[derive(Clone, Copy)]
struct Tap {
    index: usize,
    weight: f64,
    /// How much the weight grows with the coordinate.
    slope: f64,
}

/// The elements of a result along an axis.
#[derive(Clone, Copy)]
struct Taps {
    taps: [Tap; 4],
    count: usize,
}

impl Taps {
    /// The first and only element of an axis that images do not have.
    const ALONE: Self = Self { taps: [Tap { index: 0, weight: 1.0, slope: 0.0 }; 4], count: 1 };

    /// At most four taps; those beyond an image do not count.
    #[inline(always)]
    fn of(taps: impl IntoIterator<Item = Option<Tap>>) -> Self {
        let mut all = Self { count: 0, ..Self::ALONE };
        for (place, tap) in all.taps.iter_mut().zip(taps.into_iter().flatten()) {
            *place = tap;
            all.count += 1;
        }
        all
    }

    #[inline(always)]
    fn as_slice(&self) -> &[Tap] {
        &self.taps[..self.count]
    }
}

/// Places whose elements are found together, for all channels.
const TOGETHER: usize = 256;

/// A number, and how much it grows with what it is computed from.
type Sloped = (f64, f64);

impl Sampling {
    #[inline(always)]
    fn round(&self, number: f64) -> f64 {
        if self.is_f64 { number } else { f64::from(number as f32) }
    }

    /// The place that a coordinate stands for, in elements.
    #[inline(always)]
    fn place(&self, coordinate: f64, size: f64) -> Sloped {
        let from_end = self.round(coordinate + 1.0);
        match self.is_aligned {
            true => (self.round(from_end * ((size - 1.0) / 2.0)), (size - 1.0) / 2.0),
            false => (self.round(self.round(from_end * (size / 2.0)) - 0.5), size / 2.0),
        }
    }

    /// The place on an image that counts for one beyond it.
    #[inline(always)]
    fn onto(&self, place: f64, size: f64) -> Sloped {
        match self.beyond {
            Beyond::Zeros => (place, 1.0),
            Beyond::Border => clipped(place, size),
            Beyond::Reflection => {
                let (first, span) = if self.is_aligned { (0.0, size - 1.0) } else { (-0.5, size) };
                let (place, sign) = reflected(place, first, span);
                let (place, slope) = clipped(self.round(place), size);
                (place, sign * slope)
            }
        }
    }

    #[inline(always)]
    fn taps(&self, coordinate: f64, size: usize) -> Taps {
        let whole = size as f64;
        let tap = |place: f64, weight: f64, slope: f64| {
            (place >= 0.0 && place < whole).then_some(Tap { index: place as usize, weight, slope })
        };
        let (place, slope) = self.place(coordinate, whole);
        match self.between {
            Between::Nearest => {
                let (place, _) = self.onto(place, whole);
                Taps::of([tap(place.round_ties_even(), 1.0, 0.0)])
            }
            Between::Linear => {
                let (place, onto) = self.onto(place, whole);
                let (first, slope) = (place.floor(), slope * onto);
                let part = self.round(place - first);
                Taps::of([tap(first, self.round(1.0 - part), -slope), tap(first + 1.0, part, slope)])
            }
            Between::Cubic => {
                let part = place - place.floor();
                let of = |number: usize| {
                    let distance = number as f64 - 1.0 - part;
                    let (on_image, _) = self.onto(place.floor() - 1.0 + number as f64, whole);
                    let falls =
                        cubic_slope(distance.abs(), CUBIC) * if distance < 0.0 { slope } else { -slope };
                    tap(on_image, cubic(distance.abs(), CUBIC), falls)
                };
                Taps::of((0..4).map(of))
            }
        }
    }

    /// The taps along planes, rows and columns at each place of a grid; images without planes have one.
    fn each<T: Number>(&self, grid: &[T], mut visit: impl FnMut(usize, [&[Tap]; 3])) {
        for (number, coordinates) in grid.chunks_exact(self.sizes.len().max(1)).enumerate() {
            let along = coordinates.iter().zip(self.sizes.iter().rev());
            let mut taps = [Taps::ALONE; 3];
            for (own, (coordinate, size)) in taps.iter_mut().zip(along) {
                *own = taps_at(self, coordinate.wide(), *size);
            }
            let [columns, rows, planes] = taps.each_ref().map(Taps::as_slice);
            visit(number, [planes, rows, columns]);
        }
    }

    /// The number of the first element of a row of an image.
    fn row(&self, plane: usize, row: usize) -> usize {
        let [.., rows, columns] = self.sizes[..] else { return 0 };
        (plane * rows + row) * columns
    }

    /// Visits the elements of a result: their numbers in an image, and their weights along each axis.
    fn under(&self, [planes, rows, columns]: [&[Tap]; 3], mut visit: impl FnMut(usize, [Tap; 3])) {
        for plane in planes {
            for row in rows {
                let first = self.row(plane.index, row.index);
                columns.iter().for_each(|column| visit(first + column.index, [*plane, *row, *column]));
            }
        }
    }

    fn elements(&self) -> usize {
        self.sizes.iter().product::<usize>().max(1)
    }

    fn places<T>(&self, grid: &[T]) -> usize {
        (grid.len() / self.sizes.len().max(1)).max(1)
    }

    /// Writes the elements of images, one for each channel, at the places of a grid. Elements are f64 if places are, and f32
    /// otherwise; so are those of the other functions.
    pub fn sample(&self, images: &[u8], grid: &[u8], out: &mut [u8]) {
        match self.is_f64 {
            true => self.sample_in::<f64>(cast_slice(images), cast_slice(grid), cast_slice_mut(out)),
            false => self.sample_in::<f32>(cast_slice(images), cast_slice(grid), cast_slice_mut(out)),
        }
    }

    /// Writes the gradient of [`Sampling::sample`] for the images.
    pub fn spread(&self, gradient: &[u8], grid: &[u8], out: &mut [u8]) {
        match self.is_f64 {
            true => self.spread_in::<f64>(cast_slice(gradient), cast_slice(grid), cast_slice_mut(out)),
            false => self.spread_in::<f32>(cast_slice(gradient), cast_slice(grid), cast_slice_mut(out)),
        }
    }

    /// Writes the gradient of [`Sampling::sample`] for the grid.
    pub fn pull(&self, gradient: &[u8], images: &[u8], grid: &[u8], out: &mut [u8]) {
        let (from, out) = ([gradient, images, grid], out);
        match self.is_f64 {
            true => self.pull_in::<f64>(from.map(cast_slice), cast_slice_mut(out)),
            false => self.pull_in::<f32>(from.map(cast_slice), cast_slice_mut(out)),
        }
    }

    fn sample_in<T: Number>(&self, images: &[T], grid: &[T], out: &mut [T]) {
        let (places, axes) = (self.places(grid), self.sizes.len().max(1));
        let (mut under, mut ends) = (Vec::new(), Vec::new());
        for (block, grid) in grid.chunks(TOGETHER * axes).enumerate() {
            under.clear();
            ends.clear();
            self.each(grid, |_, taps| {
                self.under(taps, |index, [plane, row, column]| {
                    under.push((index, plane.weight * row.weight * column.weight));
                });
                ends.push(under.len());
            });
            let (elements, first) = (self.elements(), block * TOGETHER);
            let (many, few) = images.split_at(images.len() - images.len() % (CHANNELS * elements));
            let (of_many, of_few) = out.split_at_mut(many.len() / elements * places);
            let of_many = of_many.chunks_exact_mut(CHANNELS * places);
            for (images, out) in many.chunks_exact(CHANNELS * elements).zip(of_many) {
                combine::<T, CHANNELS>((images, elements), (&under, &ends), (out, places, first));
            }
            for (image, out) in few.chunks_exact(elements).zip(of_few.chunks_exact_mut(places)) {
                combine::<T, 1>((image, elements), (&under, &ends), (out, places, first));
            }
        }
    }

    fn spread_in<T: Number>(&self, gradient: &[T], grid: &[T], out: &mut [T]) {
        let places = self.places(grid);
        let mut sums = vec![0.0; out.len()];
        self.each(grid, |number, taps| {
            for (gradient, sums) in gradient.chunks(places).zip(sums.chunks_mut(self.elements())) {
                let of = gradient.get(number).map_or(0.0, |element| element.wide());
                self.under(taps, |index, [plane, row, column]| {
                    if let Some(sum) = sums.get_mut(index) {
                        *sum += plane.weight * row.weight * column.weight * of;
                    }
                });
            }
        });
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = T::narrow(sum));
    }

    fn pull_in<T: Number>(&self, [gradient, images, grid]: [&[T]; 3], out: &mut [T]) {
        let (places, axes) = (self.places(grid), self.sizes.len().max(1));
        self.each(grid, |number, taps| {
            let mut sums = [0.0; 3];
            for (gradient, image) in gradient.chunks(places).zip(images.chunks(self.elements())) {
                let of = gradient.get(number).map_or(0.0, |element| element.wide());
                self.under(taps, |index, [plane, row, column]| {
                    let of = of * image.get(index).map_or(0.0, |element| element.wide());
                    sums[0] += of * plane.weight * row.weight * column.slope;
                    sums[1] += of * plane.weight * row.slope * column.weight;
                    sums[2] += of * plane.slope * row.weight * column.weight;
                });
            }
            let coordinates = out.chunks_exact_mut(axes).nth(number).into_iter().flatten();
            coordinates.zip(sums).for_each(|(out, sum)| *out = T::narrow(sum));
        });
    }
}

for_instructions! {
    /// The elements at a coordinate along an axis: rounding down is one of the instructions.
    fn taps_at(sampling: &Sampling, coordinate: f64, size: usize) -> Taps {
        sampling.taps(coordinate, size)
    }
}

/// Channels whose elements are found together.
const CHANNELS: usize = 4;

/// Writes the sums of weighted elements of some images, of so many elements each, to as many results from a place on. `ends` says
/// where the elements of each place end.
#[inline(always)]
fn combine<T: Number, const N: usize>(
    (images, elements): (&[T], usize),
    (under, ends): (&[(usize, f64)], &[usize]),
    (out, places, first): (&mut [T], usize, usize),
) {
    let mut begin = 0;
    for (number, end) in ends.iter().enumerate() {
        let mut sums = [0.0; N];
        for (index, weight) in &under[begin..*end] {
            for (channel, sum) in sums.iter_mut().enumerate() {
                *sum += weight * images[channel * elements + index].wide();
            }
        }
        for (channel, sum) in sums.into_iter().enumerate() {
            out[channel * places + first + number] = T::narrow(sum);
        }
        begin = *end;
    }
}

/// The place on an axis that is nearest; NaN is seen at its beginning.
fn clipped(place: f64, size: f64) -> Sloped {
    let last = size - 1.0;
    match place {
        place if place >= last => (last, 0.0),
        place if place > 0.0 => (place, 1.0),
        _ => (0.0, 0.0),
    }
}

/// A place turned back at the ends of a span as often as it takes.
fn reflected(place: f64, first: f64, span: f64) -> Sloped {
    if span == 0.0 {
        return (0.0, 0.0);
    }
    let distance = (place - first).abs();
    let (turns, rest) = ((distance / span).floor(), distance % span);
    let sign = if place < first { -1.0 } else { 1.0 };
    match turns % 2.0 == 0.0 {
        true => (rest + first, sign),
        false => (span - rest + first, -sign),
    }
}

/// How much [`cubic`] grows with the distance.
fn cubic_slope(distance: f64, factor: f64) -> f64 {
    match distance <= 1.0 {
        true => (3.0 * (factor + 2.0) * distance - 2.0 * (factor + 3.0)) * distance,
        false => (3.0 * factor * distance - 10.0 * factor) * distance + 8.0 * factor,
    }
}

/// Writes the grid of places of images of some sizes, each sent through an affine map: a matrix with a row for each coordinate,
/// whose last column is added. Elements are f64 or f32.
pub fn affine_grid(map: &[u8], sizes: &[usize], is_aligned: bool, is_f64: bool, out: &mut [u8]) {
    match is_f64 {
        true => affine_grid_in::<f64>(cast_slice(map), sizes, is_aligned, cast_slice_mut(out)),
        false => affine_grid_in::<f32>(cast_slice(map), sizes, is_aligned, cast_slice_mut(out)),
    }
}

fn affine_grid_in<T: Number>(map: &[T], sizes: &[usize], is_aligned: bool, out: &mut [T]) {
    let axes = sizes.len().max(1);
    let coordinate = |index: usize, size: usize| match (size, is_aligned) {
        (..2, _) => 0.0,
        (size, true) => 2.0 * index as f64 / (size as f64 - 1.0) - 1.0,
        (size, false) => (2 * index + 1) as f64 / size as f64 - 1.0,
    };
    let mut from = Vec::new();
    for (number, out) in out.chunks_exact_mut(axes).enumerate() {
        let mut rest = number;
        from.clear();
        from.extend(sizes.iter().rev().map(|size| {
            let index = rest % size.max(&1);
            rest /= size.max(&1);
            coordinate(index, *size)
        }));
        from.push(1.0);
        for (out, row) in out.iter_mut().zip(map.chunks_exact(axes + 1)) {
            *out = T::narrow(row.iter().zip(&from).map(|(factor, from)| factor.wide() * from).sum());
        }
    }
}
