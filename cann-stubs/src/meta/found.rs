//! What a launch found out about the memory of its tensors. The next one uses it again while the addresses are the same and
//! no memory was freed.

use smallvec::SmallVec;

use crate::check;
use crate::check::tracker::{self, Access};
use crate::misuse::Level;
use crate::runtime::memory;
use crate::status::Result;

/// Where the tensors of a launch lie.
#[derive(Default)]
pub(crate) struct Found {
    /// `None` where the rest does not hold for another launch.
    by: Option<Seen>,
    pub(crate) addresses: SmallVec<[usize; 3]>,
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
    /// Finds the memory at `addresses` for a launch on `device`. Returns whether it is that of the last launch, as for most.
    ///
    /// `check` checks other memory, and returns what is touched and the distance.
    #[inline]
    pub(crate) fn find(
        &mut self,
        device: i32,
        addresses: impl Iterator<Item = usize> + Clone,
        check: impl FnOnce(&[usize]) -> Result<(SmallVec<[Access; 4]>, Option<isize>)>,
    ) -> Result<bool> {
        let is_tracking = check::is_tracking();
        let seen = Seen { device, losses: memory::losses(), is_tracking };
        if self.by == Some(seen) && addresses.clone().eq(self.addresses.iter().copied()) {
            return Ok(true);
        }
        self.by = None;
        self.memo.clear();
        self.addresses.clear();
        self.addresses.extend(addresses);
        (self.accesses, self.distance) = check(&self.addresses)?;
        // Memory of the host may be unregistered, and a thread may check less than another.
        let holds = self.distance.is_some() && (!is_tracking || check::level() != Level::Off);
        self.by = holds.then_some(seen);
        Ok(false)
    }
}
