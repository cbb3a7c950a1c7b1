//! The order of tokens by their experts.

use crate::views::allocation;
use std::ops::Range;

use crate::LaneFunction;
use crate::views::order_by::ordered;

/// The places of ids in ascending order, equal ones as they were.
pub fn order(ids: &[i32]) -> Vec<usize> {
    ordered(ids.len(), &mut |one, other| ids.get(one).cmp(&ids.get(other)))
}

fn put(list: &mut [i32], place: usize, value: usize) {
    if let Some(element) = list.get_mut(place) {
        *element = value as i32;
    }
}

/// The form of the counts of tokens of experts.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Counted {
    #[default]
    Not,
    /// Of each expert.
    Each,
    /// Of each expert and all before it.
    Running,
    /// Pairs of an expert and its tokens, for those that have some, and a pair of zeros.
    Pairs,
}

/// The rules by which ids become places.
#[derive(Clone, Default)]
pub struct Routing {
    /// Only these experts count, if it says so.
    pub range: Option<Range<i32>>,
    /// Experts of which tokens are counted.
    pub experts: usize,
    /// Places of each expert, if there are so many, and the others stay empty.
    pub capacity: Option<usize>,
    pub counted: Counted,
    /// Whether the list of places is by place, and holds the number of a token with its choice.
    pub by_place: bool,
    pub counts_all: bool,
}

impl Routing {
    /// The body over whole lists: ids; then the places, the source of each place (`−1` where there is none), the expert of each
    /// place, the counts in i64, and the counts before any token is left out. The last two may be missing.
    pub fn body(self) -> LaneFunction {
        LaneFunction::new("order by experts", move |_, inputs, outputs| {
            let ([ids], [places, sources, owners, counts, befores]) = (inputs, outputs) else {
                return Ok(());
            };
            let ids: &[i32] = bytemuck::cast_slice(ids);
            let [places, sources, owners, befores]: [&mut [i32]; 4] =
                [places, sources, owners, befores].map(|list| bytemuck::cast_slice_mut(list));
            places.fill(-1);
            sources.fill(-1);
            owners.fill(0);
            let counts: &mut [i64] = bytemuck::cast_slice_mut(counts);
            let first = self.range.as_ref().map_or(0, |range| range.start);
            let mut tokens = allocation::zeros::<i64>(self.experts)?;
            let mut next = 0;
            for flat in order(ids) {
                let id = ids.get(flat).copied().unwrap_or(0);
                if self.range.as_ref().is_some_and(|range| !range.contains(&id)) {
                    continue;
                }
                let expert = usize::try_from(id.wrapping_sub(first)).ok();
                let count = expert.and_then(|expert| tokens.get_mut(expert));
                let before = count.as_ref().map_or(0, |count| **count as usize);
                count.into_iter().for_each(|count| *count += 1);
                let place = match (self.capacity, expert) {
                    (Some(capacity), Some(expert)) if before < capacity => expert * capacity + before,
                    (Some(_), _) => continue,
                    (None, _) => next,
                };
                next += 1;
                put(sources, place, flat);
                put(owners, place, expert.unwrap_or(0));
                if self.by_place { put(places, place, flat) } else { put(places, flat, place) }
            }
            if self.counts_all {
                befores.iter_mut().zip(&tokens).for_each(|(to, count)| *to = *count as i32);
            }
            let mut sum = 0;
            match self.counted {
                Counted::Not => {}
                Counted::Each => counts.iter_mut().zip(&tokens).for_each(|(to, count)| *to = *count),
                Counted::Running => counts.iter_mut().zip(&tokens).for_each(|(to, count)| {
                    sum += count;
                    *to = sum;
                }),
                Counted::Pairs => {
                    counts.fill(0);
                    let pairs = tokens.iter().zip(i64::from(first)..).filter(|(count, _)| **count > 0);
                    for (to, (count, id)) in counts.chunks_exact_mut(2).zip(pairs) {
                        to.copy_from_slice(&[id, *count]);
                    }
                }
            }
            Ok(())
        })
    }
}

/// The body of the order of tokens with numbers of their own: ids and numbers; then where each number goes, and the sorted
/// ids, and the token of each place.
pub fn by_numbers(rows: usize) -> LaneFunction {
    LaneFunction::new("order by experts", move |_, inputs, outputs| {
        let ([ids, numbers], [places, sorted, sources]) = (inputs, outputs) else { return Ok(()) };
        let [ids, numbers]: [&[i32]; 2] = [ids, numbers].map(|list| bytemuck::cast_slice(list));
        let [places, sorted, sources]: [&mut [i32]; 3] =
            [places, sorted, sources].map(|list| bytemuck::cast_slice_mut(list));
        for (place, flat) in order(ids).into_iter().enumerate() {
            let number = numbers.get(flat).copied().unwrap_or(0).max(0) as usize;
            put(places, number, place);
            put(sorted, place, ids.get(flat).copied().unwrap_or(0) as usize);
            put(sources, place, number % rows.max(1));
        }
        Ok(())
    })
}

/// The body of running counts: how many of the ids are at most the number of each element.
pub fn running_counts() -> LaneFunction {
    LaneFunction::new("count tokens", |_, inputs, outputs| {
        let ([ids], [out]) = (inputs, outputs) else { return Ok(()) };
        let (ids, out) = (bytemuck::cast_slice::<u8, i32>(ids), bytemuck::cast_slice_mut::<u8, i32>(out));
        out.fill(0);
        for id in ids {
            if let Some(count) = out.get_mut((*id).max(0) as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        out.iter_mut().for_each(|count| {
            sum += *count;
            *count = sum;
        });
        Ok(())
    })
}

/// The body over the counts of tokens of each rank and, of that, of each expert, in i64: for each place, when experts come before
/// ranks, the row that goes there, twice, and the tokens of each expert. Places that are left have row `−1`.
pub fn by_ranks(experts: usize) -> LaneFunction {
    LaneFunction::new("order by experts", move |_, inputs, outputs| {
        let ([counts], [places, sources, sums]) = (inputs, outputs) else { return Ok(()) };
        let counts: &[i64] = bytemuck::cast_slice(counts);
        let [places, sources]: [&mut [i32]; 2] = [places, sources].map(|list| bytemuck::cast_slice_mut(list));
        let sums: &mut [i64] = bytemuck::cast_slice_mut(sums);
        let mut starts = allocation::zeros::<i64>(counts.len())?;
        let mut end = 0_i64;
        for (start, count) in starts.iter_mut().zip(counts) {
            *start = end;
            end = end.saturating_add((*count).max(0));
        }
        sources.fill(-1);
        let mut left = sources.iter_mut();
        for (expert, sum) in sums.iter_mut().enumerate().take(experts) {
            *sum = 0;
            for (start, count) in starts.iter().zip(counts).skip(expert).step_by(experts.max(1)) {
                let count = (*count).max(0);
                *sum = sum.saturating_add(count);
                let rows = *start..start.saturating_add(count);
                rows.zip(left.by_ref()).for_each(|(row, source)| *source = row as i32);
            }
        }
        places.iter_mut().zip(sources).for_each(|(place, source)| *place = *source);
        Ok(())
    })
}

/// The cells of a map that are true, column after column; a cell is a row and a column.
pub fn cells(map: &[u8], [rows, columns]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..columns)
        .flat_map(move |column| (0..rows).map(move |row| (row, column)))
        .filter(move |(row, column)| map.get(row * columns + column).is_some_and(|cell| *cell != 0))
}
