//! Ranges of addresses that do not overlap, each with a value.
//!
//! A program uses the same few ranges again and again, so the range of an address is looked for where one like it was found
//! last, before a search whose cost grows with the number of ranges.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

/// How many places remember what was found there last.
const PLACES: usize = 256;

/// Ranges by their first address, and their values.
#[derive(Debug)]
pub(crate) struct Ranges<T> {
    /// The slot of each range.
    order: BTreeMap<usize, usize>,
    slots: Vec<Slot<T>>,
    free: Vec<usize>,
    /// The slots that were found last, each at the place of the address. A slot may hold another range by now.
    recent: [Cell<usize>; PLACES],
    #[cfg(test)]
    searches: Cell<usize>,
}

/// A range with its value, or a free slot, which is of length 0.
#[derive(Debug)]
struct Slot<T> {
    start: usize,
    len: usize,
    value: Option<T>,
}

/// A range that was found.
#[derive(Debug)]
pub(crate) struct Found<V> {
    pub(crate) start: usize,
    /// The address after the last one.
    pub(crate) end: usize,
    pub(crate) value: V,
}

impl<T> Default for Ranges<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Where an address is remembered. Memory is allocated in steps of 512 bytes.
#[inline]
fn place(address: usize) -> usize {
    ((address >> 9) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize
        >> (usize::BITS - PLACES.trailing_zeros())
}

impl<T> Ranges<T> {
    pub(crate) const fn new() -> Self {
        Ranges {
            order: BTreeMap::new(),
            slots: Vec::new(),
            free: Vec::new(),
            recent: [const { Cell::new(0) }; PLACES],
            #[cfg(test)]
            searches: Cell::new(0),
        }
    }

    /// Adds `[start, end)`, which overlaps no other range. A range that starts there already is replaced.
    pub(crate) fn insert(&mut self, start: usize, end: usize, value: T) {
        self.remove(start);
        let slot = Slot { start, len: end.saturating_sub(start), value: Some(value) };
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index] = slot;
                index
            }
            None => {
                self.slots.push(slot);
                self.slots.len() - 1
            }
        };
        self.order.insert(start, index);
    }

    /// Removes the range that starts at `start`.
    pub(crate) fn remove(&mut self, start: usize) -> Option<T> {
        let index = self.order.remove(&start)?;
        self.free.push(index);
        let slot = &mut self.slots[index];
        slot.len = 0;
        slot.value.take()
    }

    /// The slot whose range holds `address`. Another range may have it later.
    #[inline]
    pub(crate) fn slot(&self, address: usize) -> Option<usize> {
        let recent = &self.recent[place(address)];
        let holds = |index: usize| {
            self.slots.get(index).is_some_and(|slot| address.wrapping_sub(slot.start) < slot.len)
        };
        if holds(recent.get()) {
            return Some(recent.get());
        }
        let index = self.search(address)?;
        recent.set(index);
        holds(index).then_some(index)
    }

    /// The slot of the last range that starts at `address` or before.
    #[cold]
    #[inline(never)]
    fn search(&self, address: usize) -> Option<usize> {
        #[cfg(test)]
        self.searches.set(self.searches.get() + 1);
        self.order.range(..=address).next_back().map(|(_, index)| *index)
    }

    /// The range that holds `address`.
    #[inline]
    pub(crate) fn holding(&self, address: usize) -> Option<Found<&T>> {
        let Slot { start, len, value } = &self.slots[self.slot(address)?];
        value.as_ref().map(|value| Found { start: *start, end: start + len, value })
    }

    /// As `holding`, to change the value.
    #[inline]
    pub(crate) fn holding_mut(&mut self, address: usize) -> Option<Found<&mut T>> {
        let index = self.slot(address)?;
        let Slot { start, len, value } = &mut self.slots[index];
        value.as_mut().map(|value| Found { start: *start, end: *start + *len, value })
    }

    /// The range in a slot.
    #[inline]
    pub(crate) fn in_slot(&mut self, slot: usize) -> Option<Found<&mut T>> {
        let Slot { start, len, value } = self.slots.get_mut(slot)?;
        value.as_mut().map(|value| Found { start: *start, end: *start + *len, value })
    }

    /// The value of the range that starts at `start`.
    pub(crate) fn get(&self, start: usize) -> Option<&T> {
        self.slots[*self.order.get(&start)?].value.as_ref()
    }

    /// The value of the last range that starts at `address` or before.
    pub(crate) fn before(&self, address: usize) -> Option<&T> {
        self.slots[self.search(address)?].value.as_ref()
    }

    /// The value of the first range that starts after `address`.
    pub(crate) fn after(&self, address: usize) -> Option<&T> {
        let (_, index) = self.order.range((Excluded(address), Unbounded)).next()?;
        self.slots[*index].value.as_ref()
    }

    /// Calls `visit` with the values of the ranges that hold an address of `[start, end)`, the last one first.
    pub(crate) fn touching(&mut self, start: usize, end: usize, mut visit: impl FnMut(&mut T)) {
        // No two overlap, so the one that starts last ends last.
        for (_, index) in self.order.range(..end).rev() {
            let slot = &mut self.slots[*index];
            if start >= end || slot.start + slot.len <= start {
                return;
            }
            slot.value.as_mut().into_iter().for_each(&mut visit);
        }
    }

    /// Removes the ranges that start in `[start, end)`.
    pub(crate) fn remove_all(&mut self, start: usize, end: usize) {
        while let Some((&first, _)) = self.order.range(start..end).next() {
            self.remove(first);
        }
    }

    /// The values in the order of their ranges.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> + '_ {
        self.order.values().filter_map(|index| self.slots[*index].value.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_list_that_is_searched_from_its_start() {
        const STEP: usize = 512;
        const UNITS: usize = 2000;
        let mut random = fastrand::Rng::with_seed(3);
        let (mut ranges, mut list) = (Ranges::default(), Vec::<(usize, usize, usize)>::new());
        for round in 0..30_000 {
            let start = random.usize(..UNITS) * STEP;
            let end = start + 1 + random.usize(..3 * STEP);
            let is_free = list.iter().all(|&(other, other_end, _)| end <= other || other_end <= start);
            match random.usize(..8) {
                0 | 1 if is_free => {
                    ranges.insert(start, end, round);
                    list.push((start, end, round));
                }
                2 if !list.is_empty() => {
                    let (start, _, value) = list.swap_remove(random.usize(..list.len()));
                    assert_eq!(ranges.remove(start), Some(value));
                }
                3 if random.usize(..50) == 0 => {
                    ranges.remove_all(start, start + 100 * STEP);
                    list.retain(|&(other, ..)| !(start..start + 100 * STEP).contains(&other));
                }
                4 => {
                    let mut touched = Vec::new();
                    ranges.touching(start, end, |value| touched.push(*value));
                    let mut expected: Vec<_> = list
                        .iter()
                        .filter(|&&(other, other_end, _)| other < end && start < other_end)
                        .collect();
                    expected.sort();
                    let expected: Vec<_> = expected.iter().rev().map(|(.., value)| *value).collect();
                    assert_eq!(touched, expected);
                }
                _ => {}
            }
            let address = random.usize(..UNITS * STEP);
            let owner = list.iter().find(|&&(start, end, _)| (start..end).contains(&address));
            let found = ranges.holding(address).map(|found| (found.start, found.end, *found.value));
            assert_eq!(found, owner.copied());
            let found = ranges.holding_mut(address).map(|found| (found.start, found.end, *found.value));
            assert_eq!(found, owner.copied());
            let before = list.iter().filter(|(start, ..)| *start <= address).max();
            assert_eq!(ranges.before(address), before.map(|(.., value)| value));
            let after = list.iter().filter(|(start, ..)| *start > address).min();
            assert_eq!(ranges.after(address), after.map(|(.., value)| value));
            assert_eq!(
                ranges.get(start),
                list.iter().find(|(other, ..)| *other == start).map(|(.., value)| value)
            );
            list.sort_unstable();
            assert!(ranges.values().eq(list.iter().map(|(.., value)| value)));
        }
    }

    #[test]
    fn ranges_in_use_are_found_without_a_search_however_many_there_are() {
        for count in [3, 1_000, 100_000] {
            let mut ranges = Ranges::default();
            (0..count).for_each(|index| ranges.insert(index << 12, (index << 12) + 100, index));
            let searched = ranges.searches.get();
            for _ in 0..1_000 {
                for index in [0, count / 2, count - 1] {
                    assert_eq!(ranges.holding((index << 12) + 7).map(|found| *found.value), Some(index));
                }
            }
            assert!(ranges.searches.get() - searched <= 3, "{count} ranges");
            // A range that ends is not found any more, and one that takes its slot is.
            ranges.remove(0);
            assert!(ranges.holding(7).is_none());
            ranges.insert(0, 50, count);
            assert_eq!(ranges.holding(7).map(|found| *found.value), Some(count));
        }
    }
}
