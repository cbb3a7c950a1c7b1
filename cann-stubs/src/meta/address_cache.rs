//! Addresses that launches found for the memory of their tensors. Later launches use them again while the addresses are
//! the same and no memory was freed.

use smallvec::SmallVec;

use crate::check;
use crate::check::tracker::{self, Access};
use crate::misuse::Level;
use crate::runtime::memory;
use crate::status::Result;

/// Where the tensors of a launch are, in the order of the plan, and then its workspace if it has one.
pub(crate) type Addresses = SmallVec<[usize; 8]>;

/// What the launches of a plan found, each at the place of its addresses.
#[derive(Default)]
pub(crate) struct FoundBefore {
    /// As many as a power of two, and none before the first launch. There are more when launches take turns at a place, so
    /// that the number of streams which share a plan does not matter.
    places: Vec<Option<Box<Found>>>,
    /// Where addresses were found last.
    last: usize,
    /// The hashes of what was found, each at a place of its own.
    seen: Vec<u32>,
}

impl FoundBefore {
    /// The most places.
    const MOST: usize = 1024;

    /// How many places are looked at for addresses.
    const NEAR: usize = 4;

    /// Finds the memory at `addresses` for a launch on `device`. Returns what is found, and whether it was found before, as for
    /// most.
    ///
    /// `check` checks other memory, and returns what is touched and the distance.
    #[inline]
    pub(crate) fn find(
        &mut self,
        device: i32,
        addresses: &[usize],
        check: impl FnOnce() -> Result<(SmallVec<[Access; 4]>, Option<isize>)>,
    ) -> Result<(&mut Found, bool)> {
        let is_tracking = check::is_tracking();
        let seen = Seen { device, losses: memory::losses(), is_tracking };
        let (is_there, place) = self.place(addresses);
        self.last = place;
        let found = self.places[place].get_or_insert_default();
        if is_there && found.by == Some(seen) {
            return Ok((found, true));
        }
        found.by = None;
        found.memo.clear();
        found.addresses.clear();
        found.addresses.extend_from_slice(addresses);
        (found.accesses, found.distance) = check()?;
        // Memory of the host may be unregistered, and a thread may check less than another.
        let holds = found.distance.is_some() && (!is_tracking || check::level() != Level::Off);
        found.by = holds.then_some(seen);
        Ok((found, false))
    }

    /// Returns whether addresses are at a place, and which one, or one for them.
    #[inline]
    fn place(&mut self, addresses: &[usize]) -> (bool, usize) {
        let is_it =
            |place: &usize| matches!(self.places.get(*place), Some(Some(found)) if found.is_at(addresses));
        if is_it(&self.last) {
            return (true, self.last);
        }
        let hash = hash(addresses);
        let there = self.near(hash).find(is_it);
        (there.is_some(), there.unwrap_or_else(|| self.make_room(hash)))
    }

    /// The places where addresses of this hash may be found.
    fn near(&self, hash: u32) -> impl Iterator<Item = usize> + use<> {
        let last = self.places.len().wrapping_sub(1);
        (0..Self::NEAR).map(move |step| (hash as usize).wrapping_add(step) & last)
    }

    /// A place for addresses of this hash, which are not there.
    #[cold]
    fn make_room(&mut self, hash: u32) -> usize {
        if self.places.is_empty() {
            self.places.push(None);
        }
        self.seen.resize(Self::MOST, 0);
        // By other bits than those of the place, so that launches which take turns there are told apart.
        let before = std::mem::replace(&mut self.seen[(hash >> 16) as usize % Self::MOST], hash);
        // Addresses that come again and again are worth a place, and others are not.
        let own = hash as usize & (self.places.len() - 1);
        if before != hash {
            return own;
        }
        let mut free = self.free(hash);
        if free.is_none() && self.places.len() < Self::MOST {
            let mut places = Vec::new();
            places.resize_with(2 * self.places.len(), || None);
            for found in std::mem::replace(&mut self.places, places).into_iter().flatten() {
                if let Some(place) = self.free(self::hash(&found.addresses)) {
                    self.places[place] = Some(found);
                }
            }
            free = self.free(hash);
        }
        free.unwrap_or(hash as usize & (self.places.len() - 1))
    }

    /// A free place for addresses of this hash.
    fn free(&self, hash: u32) -> Option<usize> {
        self.near(hash).find(|place| self.places[*place].is_none())
    }
}

/// The upper half of a product depends on every bit of its factor.
#[inline]
fn hash(addresses: &[usize]) -> u32 {
    let mix = |hash: u64, address: &usize| (hash ^ *address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (addresses.iter().fold(0, |hash: u64, address| mix(hash, address).rotate_left(26)) >> 32) as u32
}

/// Where the tensors of a launch lie.
#[derive(Default)]
pub(crate) struct Found {
    /// `None` where the rest does not hold for another launch.
    by: Option<Seen>,
    addresses: Addresses,
    /// How far behind the addresses the bytes are, where all lie in allocations of one device.
    pub(crate) distance: Option<isize>,
    /// The bytes that a launch touches.
    pub(crate) accesses: SmallVec<[Access; 4]>,
    /// What the tracker remembers of such a launch.
    pub(crate) memo: tracker::Memo,
}

/// What decides, beside the addresses, whether they are found where they were.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    device: i32,
    losses: u64,
    is_tracking: bool,
}

impl Found {
    #[inline]
    fn is_at(&self, addresses: &[usize]) -> bool {
        self.addresses.iter().eq(addresses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many launches take turns as a plan may serve streams.
    #[test]
    fn launches_that_take_turns_find_what_they_found_before() {
        for sets in [1, 2, 8, 64] {
            let mut before = FoundBefore::default();
            let mut misses = 0;
            for round in 0..100 {
                for set in 0..sets {
                    let addresses = [1, 2, 3].map(|tensor| (set * 3 + tensor) << 9);
                    let (_, is_same) =
                        before.find(0, &addresses, || Ok((SmallVec::new(), Some(round)))).unwrap();
                    misses += usize::from(!is_same && round >= 50);
                }
            }
            assert!(misses * 10 <= sets * 50, "{misses} of {sets} times 50");
        }
    }

    #[test]
    fn addresses_that_never_come_again_take_no_room() {
        let mut before = FoundBefore::default();
        for set in 0..10_000 {
            let addresses = [set << 9, (set + 7) << 12];
            assert!(!before.find(0, &addresses, || Ok((SmallVec::new(), Some(0)))).unwrap().1);
        }
        assert_eq!(before.places.len(), 1);
    }
}
