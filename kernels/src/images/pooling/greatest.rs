//! The greatest elements of windows, and their numbers.

use aclnn_numerics::DType;
use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::cut::{Cut, LANES};
use super::windows::{Span, Windows};
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;

impl Windows {
    /// Writes the greatest element at each position, and its number if there is a place for it. The last NaN is greater than
    /// everything, and the first of equal elements counts. Elements are f64, i64, or otherwise f32.
    pub fn greatest(
        &self,
        dtype: DType,
        image: &[u8],
        values: &mut [u8],
        numbers: Option<&mut [i64]>,
    ) -> Result {
        match dtype {
            DType::F64 => self.greatest_in::<f64>(cast_slice(image), cast_slice_mut(values), numbers),
            DType::I64 => self.greatest_in::<i64>(cast_slice(image), cast_slice_mut(values), numbers),
            _ => self.greatest_in::<f32>(cast_slice(image), cast_slice_mut(values), numbers),
        }
    }

    /// As [`Windows::greatest`], of elements of one type.
    pub(super) fn greatest_in<T: Ordered>(
        &self,
        image: &[T],
        values: &mut [T],
        numbers: Option<&mut [i64]>,
    ) -> Result {
        let spans = self.spans()?;
        match numbers {
            Some(numbers) => self.greatest_of_rows::<T, true>(spans, image, values, numbers),
            None => match self.axes[2].cut()? {
                // Rows of several planes would take the places of one another.
                Some(cut) if spans[0].iter().all(|plane| plane.count <= 1) => {
                    self.greatest_of_cut_rows(&cut, spans, image, values)
                }
                _ => self.greatest_of_rows::<T, false>(spans, image, values, &mut []),
            },
        }
    }

    /// Finds the greatest elements of each row of the image first, then those of rows under a window.
    fn greatest_of_cut_rows<T: Ordered>(
        &self,
        cut: &Cut,
        [planes, rows, columns]: &[Vec<Span>; 3],
        image: &[T],
        values: &mut [T],
    ) -> Result {
        let (size, width) = (self.axes[2].size, columns.len());
        let (kept, down) = (self.kept(rows), width.next_multiple_of(LANES));
        let mut buffer = allocation::zeros::<T>(cut.room())?;
        let mut found = allocation::zeros::<T>(kept * down)?;
        let mut searched = allocation::collect((0..kept).map(|_| usize::MAX))?;
        let taps = allocation::collect(cut.taps())?;
        let (mut slots, mut out) = (Vec::new(), values.chunks_mut(width.max(1)));
        for (plane, row) in planes.iter().flat_map(|plane| rows.iter().map(move |row| (plane, row))) {
            let Some(out) = out.next() else { return Ok(()) };
            slots.clear();
            for line in plane.lines(*row, |plane, row| plane * self.axes[1].size + row) {
                let slot = line % kept;
                slots.push(slot * down);
                if searched[slot] != line {
                    searched[slot] = line;
                    cut.fill(
                        image.get(line * size..(line + 1) * size).unwrap_or_default(),
                        T::LEAST,
                        &mut buffer,
                    );
                    greatest_of(&buffer, &taps, &mut found[slot * down..][..down]);
                }
            }
            greatest_of(&found, &slots, out);
        }
        Ok(())
    }

    /// Rows of the image that are kept while windows with them come, by the windows along rows.
    fn kept(&self, rows: &[Span]) -> usize {
        rows.iter().map(|row| row.count * row.step).max().unwrap_or(0).clamp(1, self.axes[1].size.max(1))
    }

    /// Finds the greatest elements of each row of the image first, then those of rows under a window. A row is cut into
    /// `stride` ones, so that elements under neighbouring windows are neighbours.
    fn greatest_of_rows<T: Ordered, const NUMBERS: bool>(
        &self,
        [planes, rows, columns]: &[Vec<Span>; 3],
        image: &[T],
        values: &mut [T],
        numbers: &mut [i64],
    ) -> Result {
        let (size, width) = (self.axes[2].size, columns.len());
        let cut = self.axes[2].cut()?;
        let mut cut_row = allocation::zeros::<T>(cut.as_ref().map_or(0, Cut::room))?;
        let firsts: Vec<u32> = allocation::collect(columns.iter().map(|column| column.first as u32))?;
        // Of the rows under a window that were searched last, by the row of the image.
        let kept = self.kept(rows);
        let mut found = allocation::zeros::<T>(kept * width)?;
        let mut places = allocation::zeros::<u32>(if NUMBERS { kept * width } else { 0 })?;
        let mut lines = allocation::zeros::<u32>(if NUMBERS { width } else { 0 })?;
        let mut columns_of = allocation::zeros::<u32>(lines.len())?;
        let mut searched = allocation::collect((0..kept).map(|_| usize::MAX))?;
        let mut out = values.chunks_mut(width.max(1));
        let mut out_numbers = numbers.chunks_mut(width.max(1));
        for plane in planes {
            for row in rows {
                let Some(out) = out.next() else { return Ok(()) };
                out.fill(T::LEAST);
                if NUMBERS {
                    columns_of.copy_from_slice(&firsts);
                    lines.fill((plane.first * self.axes[1].size + row.first) as u32);
                }
                for line in plane.lines(*row, |plane, row| plane * self.axes[1].size + row) {
                    let slot = line % kept;
                    let own = slot * width..(slot + 1) * width;
                    let found = &mut found[own.clone()];
                    let places = if NUMBERS { &mut places[own] } else { &mut [] };
                    if searched[slot] != line {
                        searched[slot] = line;
                        let from = image.get(line * size..(line + 1) * size).unwrap_or_default();
                        found.fill(T::LEAST);
                        places.copy_from_slice(if NUMBERS { &firsts } else { &[] });
                        match &cut {
                            Some(cut) => cut.search::<T, NUMBERS>(from, &mut cut_row, found, places),
                            None => {
                                for (position, column) in columns.iter().enumerate() {
                                    for index in column.indices() {
                                        let value = from.get(index).copied().unwrap_or(T::LEAST);
                                        if value.is_above(found[position]) {
                                            found[position] = value;
                                            if NUMBERS {
                                                places[position] = index as u32;
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    match NUMBERS {
                        true => merge(out, [&mut lines, &mut columns_of], found, places, line as u32),
                        false => keep_above(out, found),
                    }
                }
                let Some(numbers) = out_numbers.next().filter(|_| NUMBERS) else { continue };
                let is_empty = plane.count == 0 || row.count == 0;
                for (((number, line), place), column) in
                    numbers.iter_mut().zip(&lines).zip(&columns_of).zip(columns)
                {
                    // A window may lie on padding alone.
                    let is_empty = is_empty || column.count == 0;
                    *number = if is_empty { 0 } else { *line as i64 * size as i64 + i64::from(*place) };
                }
            }
        }
        Ok(())
    }
}

impl Cut {
    /// Finds the greatest elements of a row, and their numbers in it.
    fn search<T: Ordered, const NUMBERS: bool>(
        &self,
        row: &[T],
        cut: &mut [T],
        found: &mut [T],
        places: &mut [u32],
    ) {
        let Self { stride, len, padding, .. } = *self;
        self.fill(row, T::LEAST, cut);
        for tap in 0..self.kernel {
            let place = tap * self.dilation;
            let from = &cut[place % stride * len + place / stride..][..self.width];
            match NUMBERS {
                true => keep_places(found, places, from, [(place as i64 - padding) as u32, stride as u32]),
                false => keep_above(found, from),
            }
        }
    }
}

for_instructions! {
    /// Keeps the numbers that count.
    fn keep_above[T: Ordered](found: &mut [T], from: &[T]) {
        found.iter_mut().zip(from).for_each(|(found, value)| *found = found.or_above(*value));
    }

    /// Keeps the numbers that count and their places, which are `first` and every `stride`-th one from there on.
    fn keep_places[T: Ordered](found: &mut [T], places: &mut [u32], from: &[T], steps: [u32; 2]) {
        let [mut next, stride] = steps;
        for ((found, place), value) in found.iter_mut().zip(places).zip(from) {
            let is_above = value.is_above(*found);
            *found = if is_above { *value } else { *found };
            *place = if is_above { next } else { *place };
            next = next.wrapping_add(stride);
        }
    }

    /// Keeps the numbers that count, of a line, and the lines and columns of all.
    fn merge[T: Ordered](out: &mut [T], places: [&mut [u32]; 2], found: &[T], columns: &[u32], line: u32) {
        let [of_line, of_column] = places;
        let all = out.iter_mut().zip(of_line).zip(of_column).zip(found).zip(columns);
        for ((((out, of_line), of_column), value), column) in all {
            let is_above = value.is_above(*out);
            *out = if is_above { *value } else { *out };
            *of_line = if is_above { line } else { *of_line };
            *of_column = if is_above { *column } else { *of_column };
        }
    }

    /// Writes the greatest one of the elements at each of some distances, in their order.
    fn greatest_of[T: Ordered](elements: &[T], distances: &[usize], out: &mut [T]) {
        for (number, out) in out.chunks_mut(LANES).enumerate() {
            let mut greatest = [T::LEAST; LANES];
            for distance in distances {
                let own = elements.get(distance + number * LANES..).and_then(|own| own.first_chunk());
                let Some(own): Option<&[T; LANES]> = own else { continue };
                for (greatest, own) in greatest.iter_mut().zip(own) {
                    *greatest = greatest.or_above(*own);
                }
            }
            match <&mut [T; LANES]>::try_from(&mut *out) {
                Ok(out) => *out = greatest,
                Err(_) => out.copy_from_slice(&greatest[..out.len()]),
            }
        }
    }
}

/// Numbers of which one is the greatest.
pub(super) trait Ordered: Pod + PartialOrd + Send + Sync {
    /// The number that every other one is greater than.
    const LEAST: Self;

    fn is_nan(self) -> bool;

    /// Returns whether it counts instead of a number before it.
    #[inline(always)]
    fn is_above(self, before: Self) -> bool {
        self > before || self.is_nan()
    }

    /// The one of two numbers that counts.
    #[inline(always)]
    fn or_above(self, next: Self) -> Self {
        if next.is_above(self) { next } else { self }
    }
}

macro_rules! ordered {
    ($($type:ident from $least:expr, $is_nan:expr;)*) => {$(
        impl Ordered for $type {
            const LEAST: Self = $least;

            #[inline(always)]
            fn is_nan(self) -> bool {
                ($is_nan)(self)
            }
        }
    )*};
}

ordered! {
    f32 from f32::NEG_INFINITY, f32::is_nan;
    f64 from f64::NEG_INFINITY, f64::is_nan;
    i64 from i64::MIN, |_| false;
}
