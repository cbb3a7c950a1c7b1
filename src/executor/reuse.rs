//! Executors that are kept for the next call of the same kind.
//!
//! Calls are of the same kind if they have the same operator, layouts, types, scalars and arrays, and share memory between
//! their arguments in the same way: only the addresses differ. Each stream keeps a bounded number of executors, each
//! for the thread that made it, as the library keeps some of its state by thread. A kind that the library refuses to
//! repeat is planned anew for each call.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use aclnn_numerics::{DType, Layout, Shape};
use aclnn_sys::aclDataType;
use smallvec::SmallVec;

use super::Repeatable;

/// The most executors that a stream keeps; beyond it, the least recently used one is destroyed.
const MOST: usize = 256;

/// How many places remember which executor was found there last.
const PLACES: usize = 64;

/// The executors of a stream that wait for their next call.
#[derive(Default)]
pub(crate) struct Executors(Mutex<Table>);

#[derive(Default)]
struct Table {
    entries: Vec<Entry>,
    /// The numbers of the entries that were found last, each at the place of its hash, once there is an entry.
    recent: Vec<usize>,
    /// As `recent`, each at the place of its kind.
    latest: Vec<usize>,
    /// The number of look-ups so far.
    now: u64,
}

struct Entry {
    hash: u64,
    kind: Kind,
    thread: u64,
    arguments: Box<[Form<Layout>]>,
    /// The number of the last look-up that found it; 0 if it may be replaced.
    used: u64,
    /// A number that no other entry of the table ever has.
    made: u64,
    kept: Kept,
}

enum Kept {
    Idle(Box<Repeatable>),
    /// The executor is in use by a call.
    Busy,
    /// The library does not repeat this kind.
    Refused,
    Nothing,
}

/// The known state of a kind of call.
pub(crate) enum Known {
    Repeatable(Box<Repeatable>, Lent),
    /// The call must be planned, and its executor is kept if the library agrees.
    Nothing,
    /// The call must be planned each time.
    Once,
}

/// The place of an executor that is in use.
#[derive(Clone, Copy)]
pub(crate) struct Lent {
    index: usize,
    made: u64,
}

/// The key of a kind of call: everything that tells its calls from others, except addresses.
pub(crate) struct Key<'a> {
    kind: Kind,
    thread: u64,
    arguments: SmallVec<[Form<&'a Layout>; 6]>,
    hash: u64,
}

/// What tells an argument from others.
pub(crate) enum Form<L> {
    /// Elements of a type in a buffer of `capacity` elements, which argument number `first` was the first to use.
    Tensor { dtype: DType, layout: L, capacity: usize, first: usize },
    /// A scalar and its bytes; or the length of an array, and two of its values.
    Scalar(aclDataType, [u64; 2]),
    /// A value that is passed as its bits.
    Plain(u64),
    /// A null pointer.
    Null,
}

impl Form<&Layout> {
    #[inline]
    fn is(&self, other: &Form<Layout>) -> bool {
        match (self, other) {
            (
                Form::Tensor { dtype, layout, capacity, first },
                Form::Tensor {
                    dtype: other_dtype,
                    layout: other,
                    capacity: other_capacity,
                    first: other_first,
                },
            ) => (dtype, capacity, first) == (other_dtype, other_capacity, other_first) && *layout == other,
            (Form::Scalar(dtype, bytes), Form::Scalar(other, other_bytes)) => {
                (dtype, bytes) == (other, other_bytes)
            }
            (Form::Plain(bits), Form::Plain(other)) => bits == other,
            (Form::Null, Form::Null) => true,
            _ => false,
        }
    }

    fn to_owned(&self) -> Form<Layout> {
        match *self {
            Form::Tensor { dtype, layout, capacity, first } => {
                Form::Tensor { dtype, layout: layout.clone(), capacity, first }
            }
            Form::Scalar(dtype, bytes) => Form::Scalar(dtype, bytes),
            Form::Plain(bits) => Form::Plain(bits),
            Form::Null => Form::Null,
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        match self {
            Form::Tensor { dtype, layout, capacity, first } => {
                let sizes =
                    layout.shape().iter().fold(0, |sum: u64, &size| sum.rotate_left(11) ^ size as u64);
                let steps =
                    layout.strides().iter().fold(0, |sum: u64, &step| sum.rotate_left(11) ^ step as u64);
                let buffer = (*capacity as u64).rotate_left(20) ^ (layout.offset() as u64).rotate_left(40);
                sizes ^ steps.rotate_left(30) ^ buffer ^ (*dtype as u64) << 56 ^ (*first as u64) << 50
            }
            Form::Scalar(dtype, [low, high]) => dtype.0 as u64 ^ low ^ high.rotate_left(32),
            Form::Plain(bits) => *bits,
            Form::Null => u64::MAX,
        }
    }
}

/// What tells calls apart beside their arguments: an operator, or an operation with its options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    address: usize,
    options: u64,
}

impl Kind {
    /// Returns the kind of something constant, which no other constant shares, with options.
    pub(crate) fn of<T: ?Sized>(constant: &'static T, options: u64) -> Self {
        Self { address: ptr::from_ref(constant).addr(), options }
    }

    /// Returns where the executor is remembered that was taken last.
    #[inline]
    fn place(self) -> usize {
        (self.address >> 4 ^ self.options as usize) % PLACES
    }
}

impl<'a> Key<'a> {
    /// Starts the key of calls of a kind on this thread. The forms of all arguments are to be added.
    #[inline]
    pub(crate) fn of(kind: Kind) -> Self {
        let (thread, hash) = (thread(), kind.address as u64 ^ kind.options);
        Self { kind, thread, arguments: SmallVec::new(), hash }
    }

    /// Adds the form of an argument.
    #[inline]
    pub(crate) fn add(&mut self, form: Form<&'a Layout>) {
        // An odd number whose bits look random.
        self.hash = (self.hash.rotate_left(26) ^ form.hash()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.arguments.push(form);
    }
}

/// Returns a number that is different for every thread.
fn thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

impl Table {
    /// Returns the number of the entry of a kind.
    fn find(&mut self, key: &Key<'_>) -> Option<usize> {
        self.now += 1;
        let is_it = |entry: &Entry| {
            (entry.hash, entry.thread, entry.kind) == (key.hash, key.thread, key.kind)
                && entry.arguments.len() == key.arguments.len()
                && key.arguments.iter().zip(&entry.arguments).all(|(form, other)| form.is(other))
        };
        let place = (key.hash >> 32) as usize % PLACES;
        let recent = self.recent.get(place).copied().unwrap_or_default();
        let index = match self.entries.get(recent) {
            Some(entry) if is_it(entry) => recent,
            _ => self.entries.iter().position(is_it)?,
        };
        if let (Some(recent), Some(latest)) =
            (self.recent.get_mut(place), self.latest.get_mut(key.kind.place()))
        {
            (*recent, *latest) = (index, index);
        }
        self.entries.get_mut(index)?.used = self.now;
        Some(index)
    }

    /// Takes an executor out of its entry.
    fn take(&mut self, index: usize) -> Known {
        let Some(entry) = self.entries.get_mut(index) else { return Known::Nothing };
        match entry.kept {
            Kept::Idle(_) => match std::mem::replace(&mut entry.kept, Kept::Busy) {
                Kept::Idle(executor) => Known::Repeatable(executor, Lent { index, made: entry.made }),
                _ => Known::Once,
            },
            Kept::Nothing => Known::Nothing,
            Kept::Busy | Kept::Refused => Known::Once,
        }
    }

    /// Keeps something for a kind. Returns what was kept in its place.
    fn keep(&mut self, key: &Key<'_>, kept: Kept) -> Kept {
        if let Some(entry) = self.find(key).and_then(|index| self.entries.get_mut(index)) {
            return std::mem::replace(&mut entry.kept, kept);
        }
        let entry = Entry {
            hash: key.hash,
            kind: key.kind,
            thread: key.thread,
            arguments: key.arguments.iter().map(Form::to_owned).collect(),
            used: self.now,
            made: self.now,
            kept,
        };
        self.recent.resize(PLACES, 0);
        self.latest.resize(PLACES, 0);
        let is_full = self.entries.len() >= MOST;
        let oldest = self.entries.iter_mut().min_by_key(|entry| entry.used);
        match oldest.filter(|oldest| is_full || oldest.used == 0) {
            Some(oldest) => std::mem::replace(oldest, entry).kept,
            None => {
                self.entries.push(entry);
                Kept::Nothing
            }
        }
    }
}

/// The locked executors of a stream.
pub(crate) struct Locked<'a> {
    _table: MutexGuard<'a, Table>,
}

/// An executor of a stream, whose executors are locked.
pub(crate) struct Latest<'a> {
    table: MutexGuard<'a, Table>,
    index: usize,
}

impl Latest<'_> {
    #[inline]
    pub(crate) fn executor(&mut self) -> Option<&mut Repeatable> {
        match &mut self.table.entries.get_mut(self.index)?.kept {
            Kept::Idle(executor) => Some(executor),
            _ => None,
        }
    }

    /// Returns type and shape of the last argument, if that is a tensor in one piece.
    pub(crate) fn output(&self) -> Option<(DType, Shape)> {
        match self.table.entries.get(self.index)?.arguments.last()? {
            Form::Tensor { dtype, layout, .. } if layout.is_contiguous() => {
                Some((*dtype, layout.shape().clone()))
            }
            _ => None,
        }
    }

    /// Forgets the executor, which failed.
    #[cold]
    pub(crate) fn forget(mut self) {
        let gone = self.table.entries.get_mut(self.index).map(|entry| {
            entry.used = 0;
            std::mem::replace(&mut entry.kept, Kept::Nothing)
        });
        // An executor is destroyed without the lock.
        drop(self);
        drop(gone);
    }
}

impl Executors {
    /// Locks the executors: no launch by [`Executors::latest`] goes on meanwhile.
    pub(crate) fn lock(&self) -> Locked<'_> {
        Locked { _table: self.table() }
    }

    /// Finds the executor of a kind that was taken last on this thread, and locks the executors until the result is dropped.
    /// `find` gets the forms of its arguments and the executor. Returns `None` if it does, or if the executors are locked.
    #[inline]
    pub(crate) fn latest<T>(
        &self,
        kind: Kind,
        find: impl FnOnce(&[Form<Layout>], &Repeatable) -> Option<T>,
    ) -> Option<(Latest<'_>, T)> {
        let mut table = match self.0.try_lock() {
            Ok(table) => table,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let index = *table.latest.get(kind.place())?;
        let now = table.now + 1;
        let entry = table.entries.get_mut(index)?;
        if (entry.kind, entry.thread) != (kind, thread()) {
            return None;
        }
        let Kept::Idle(repeatable) = &entry.kept else { return None };
        let found = find(&entry.arguments, repeatable)?;
        entry.used = now;
        table.now = now;
        Some((Latest { table, index }, found))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the executor of a kind for the time of a call.
    pub(crate) fn take(&self, key: &Key<'_>) -> Known {
        let mut table = self.table();
        table.find(key).map_or(Known::Nothing, |index| table.take(index))
    }

    /// Takes the executor of a kind that was taken last on this thread, if its arguments had the same forms. This saves
    /// making a key.
    #[inline]
    pub(crate) fn take_latest(&self, kind: Kind, are: impl FnOnce(&[Form<Layout>]) -> bool) -> Option<Known> {
        let mut table = self.table();
        let index = *table.latest.get(kind.place())?;
        let now = table.now + 1;
        let entry = table.entries.get_mut(index)?;
        if (entry.kind, entry.thread) != (kind, thread()) || !are(&entry.arguments) {
            return None;
        }
        entry.used = now;
        table.now = now;
        Some(table.take(index))
    }

    /// Returns an executor after its call, unless its place is gone.
    pub(crate) fn put(&self, lent: Lent, executor: Box<Repeatable>) {
        let mut table = self.table();
        let place = table.entries.get_mut(lent.index).filter(|entry| entry.made == lent.made);
        let gone = match place {
            Some(entry) => std::mem::replace(&mut entry.kept, Kept::Idle(executor)),
            None => Kept::Idle(executor),
        };
        // An executor is destroyed without the lock.
        drop(table);
        drop(gone);
    }

    /// Keeps the first executor of a kind.
    pub(crate) fn keep(&self, key: &Key<'_>, executor: Box<Repeatable>) {
        let gone = self.table().keep(key, Kept::Idle(executor));
        drop(gone);
    }

    /// Records that the library does not repeat a kind.
    pub(crate) fn refused(&self, key: &Key<'_>) {
        let gone = self.table().keep(key, Kept::Refused);
        drop(gone);
    }

    /// Forgets a kind whose executor failed.
    pub(crate) fn forget(&self, lent: Lent) {
        let mut table = self.table();
        if let Some(entry) = table.entries.get_mut(lent.index).filter(|entry| entry.made == lent.made) {
            (entry.kept, entry.used) = (Kept::Nothing, 0);
        }
    }

    /// Destroys all executors.
    pub(crate) fn clear(&self) {
        let gone = std::mem::take(&mut self.table().entries);
        drop(gone);
    }
}

impl std::fmt::Debug for Executors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executors").finish_non_exhaustive()
    }
}
