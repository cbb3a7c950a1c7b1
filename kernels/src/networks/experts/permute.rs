//! The order of tokens by a map of tokens and experts, or by places that are given.

use crate::LaneFunction;
use crate::networks::experts::routing::{cells, order};

fn put(list: &mut [i32], place: usize, value: usize) {
    if let Some(element) = list.get_mut(place) {
        *element = value as i32;
    }
}

fn lists<'a, const N: usize>(outputs: &'a mut [&mut [u8]]) -> Option<[&'a mut [i32]; N]> {
    let lists: Vec<&mut [i32]> = outputs.iter_mut().map(|list| bytemuck::cast_slice_mut(list)).collect();
    lists.try_into().ok()
}

fn list(input: &[u8]) -> &[i32] {
    bytemuck::cast_slice(input)
}

/// The body over a map of so many rows and experts, expert after expert: the places of each row's choices, of which it has `k`;
/// then the row and the cell of each place, and the place of each cell, `−1` where there is none. With a capacity each expert
/// has so many rows, first those of its true cells.
pub fn of_map([rows, experts]: [usize; 2], k: usize, capacity: Option<usize>) -> LaneFunction {
    LaneFunction::new("order by a map", move |_, inputs, outputs| {
        let ([map], Some([places, sources, of_places, of_cells])) = (inputs, lists::<4>(outputs)) else {
            return Ok(());
        };
        [&mut *places, &mut *sources, &mut *of_places, &mut *of_cells]
            .into_iter()
            .for_each(|list| list.fill(-1));
        let mut taken = vec![0; rows];
        let mut add = |place: usize, row: usize, expert: usize| {
            put(sources, place, row);
            put(of_places, place, row * experts + expert);
            put(of_cells, row * experts + expert, place);
            if let Some(taken) = taken.get_mut(row) {
                if capacity.is_none() {
                    put(places, row * k + *taken, place);
                }
                *taken += 1;
            }
        };
        match capacity {
            None => cells(map, [rows, experts])
                .enumerate()
                .for_each(|(place, (row, expert))| add(place, row, expert)),
            Some(capacity) => {
                for expert in 0..experts {
                    let is_true =
                        |row: &usize| map.get(row * experts + expert).is_some_and(|cell| *cell != 0);
                    let others = (0..rows).filter(|row| !is_true(row));
                    let first = (0..rows).filter(is_true).chain(others).take(capacity);
                    first.enumerate().for_each(|(number, row)| add(expert * capacity + number, row, expert));
                }
            }
        }
        Ok(())
    })
}

/// The body over the row of each place, and where that place is if a list says so: the row and the cell of each place, and the
/// place of each cell.
pub fn of_places(experts: usize, capacity: usize) -> LaneFunction {
    LaneFunction::new("order by places", move |_, inputs, outputs| {
        let ([rows, at @ ..], Some([sources, of_places, of_cells])) = (inputs, lists::<3>(outputs)) else {
            return Ok(());
        };
        [&mut *sources, &mut *of_places, &mut *of_cells].into_iter().for_each(|list| list.fill(-1));
        for (number, row) in list(rows).iter().enumerate() {
            let place = at.first().map_or(Some(number), |at| usize::try_from(*list(at).get(number)?).ok());
            let (Some(place), Ok(row)) = (place, usize::try_from(*row)) else { continue };
            let cell = row * experts + place / capacity.max(1);
            put(sources, place, row);
            put(of_places, place, cell);
            put(of_cells, cell, place);
        }
        Ok(())
    })
}

/// The body over rows: the places of each row one after the other, the sorted rows, and where the places of each begin.
pub fn grouped() -> LaneFunction {
    LaneFunction::new("group by rows", |_, inputs, outputs| {
        let ([rows], Some([places, sorted, starts])) = (inputs, lists::<3>(outputs)) else { return Ok(()) };
        let rows = list(rows);
        starts.fill(0);
        for (number, place) in order(rows).into_iter().enumerate() {
            put(places, number, place);
            let row = rows.get(place).copied().unwrap_or(0);
            if let Some(sorted) = sorted.get_mut(number) {
                *sorted = row;
            }
            let after = usize::try_from(i64::from(row) + 1).unwrap_or(0);
            starts.iter_mut().skip(after).take(1).for_each(|count| *count += 1);
        }
        let mut sum = 0;
        // Rows below 0 come before all.
        starts.iter_mut().for_each(|start| {
            sum += *start;
            *start = sum;
        });
        Ok(())
    })
}

/// The body over a map and numbers: the numbers of the map's true cells, row after row, twice.
pub fn of_true_cells() -> LaneFunction {
    LaneFunction::new("take the numbers of a map", |_, inputs, outputs| {
        let [map, numbers] = inputs else { return Ok(()) };
        let numbers = bytemuck::cast_slice::<u8, f32>(numbers);
        for out in outputs {
            let out = bytemuck::cast_slice_mut::<u8, f32>(out);
            out.fill(0.0);
            let taken = map.iter().zip(numbers).filter(|(cell, _)| **cell != 0);
            out.iter_mut().zip(taken).for_each(|(to, (_, number))| *to = *number);
        }
        Ok(())
    })
}

/// The body over the row of each place and numbers of cells: the number of each place, twice.
pub fn of_cells(experts: usize, capacity: usize) -> LaneFunction {
    LaneFunction::new("take the numbers of places", move |_, inputs, outputs| {
        let [rows, numbers] = inputs else { return Ok(()) };
        let numbers = bytemuck::cast_slice::<u8, f32>(numbers);
        for out in outputs {
            let out = bytemuck::cast_slice_mut::<u8, f32>(out).iter_mut().zip(list(rows));
            for (place, (to, row)) in out.enumerate() {
                let cell = usize::try_from(*row).ok().map(|row| row * experts + place / capacity.max(1));
                *to = cell.and_then(|cell| numbers.get(cell)).copied().unwrap_or(0.0);
            }
        }
        Ok(())
    })
}
