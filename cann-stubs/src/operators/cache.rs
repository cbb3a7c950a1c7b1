//! The library's own cache of planned operators, as far as a program can see it.
//!
//! An identical call on the same thread skips every check and gets an executor that cannot be made repeatable. Calls are
//! identical when function, descriptors and scalars are the same, and the same tensors share an address; the addresses
//! themselves may differ. A plan serves other calls once a launch of it has completed. The library never keeps some plans
//! ([`Plan::is_kept`]), and a plan whose executor was made repeatable belongs to that executor.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::argument::Argument;
use crate::handle::Registry;
use crate::meta::array::{BOOL_ARRAYS, FLOAT_ARRAYS, INT_ARRAYS};
use crate::meta::list::{SCALAR_LISTS, TENSOR_LISTS};
use crate::meta::plan::{Plan, SharedPlan};
use crate::meta::scalar::SCALARS;
use crate::meta::tensor::{TENSORS, Tensor};
use crate::runtime::is_deterministic;
use crate::settings;
use crate::status::Result;

thread_local!(static CACHE: RefCell<Cache> = RefCell::new(Cache::new(settings::get().cache_limit)));

/// Takes everything that makes two calls identical, as words.
trait Words {
    /// Takes words. Returns `None` where no more are wanted.
    fn push<const N: usize>(&mut self, words: [u64; N]) -> Option<()>;

    fn extend(&mut self, words: impl IntoIterator<Item = u64>) -> Option<()> {
        words.into_iter().try_for_each(|word| self.push([word]))
    }
}

/// The words of a call, and their hash.
#[derive(Default)]
struct Key {
    hash: u64,
    words: SmallVec<[u64; 32]>,
}

impl Words for Key {
    #[inline]
    fn push<const N: usize>(&mut self, words: [u64; N]) -> Option<()> {
        for word in words {
            // An odd number whose bits look random, so that the upper half of a product depends on every bit.
            self.hash = (self.hash.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        self.words.extend_from_slice(&words);
        Some(())
    }
}

/// The words that are still expected of a call.
struct Expected<'a>(&'a [u64]);

impl Words for Expected<'_> {
    #[inline]
    fn push<const N: usize>(&mut self, words: [u64; N]) -> Option<()> {
        let (expected, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        // One by one: what was just put into an array is slow to load as a vector.
        expected.iter().zip(words).all(|(expected, word)| *expected == word).then_some(())
    }
}

/// Passes on the words of a call. Returns `None` when an argument names no object, which the checks of the call report, and
/// where no more words are wanted.
#[inline]
fn tell(function: &'static str, arguments: &[Argument], words: &mut impl Words) -> Option<()> {
    // Kernels that must be deterministic are others.
    let kind = function.len() as u64 | u64::from(is_deterministic()) << 63;
    words.push([function.as_ptr().addr() as u64, kind])?;
    let mut addresses: SmallVec<[usize; 8]> = SmallVec::new();
    let mut tensors = TENSORS.reader();
    for argument in arguments {
        match *argument {
            // An argument that may be null.
            Argument::Tensor(0)
            | Argument::Tensors(0)
            | Argument::Scalar(0)
            | Argument::Scalars(0)
            | Argument::Ints(0)
            | Argument::Floats(0)
            | Argument::Bools(0) => words.push([u64::MAX])?,
            Argument::Tensor(handle) => {
                tensors.with(handle, |tensor| describe(tensor, &mut addresses, words)).ok()??;
            }
            Argument::Tensors(list) => {
                let list = TENSOR_LISTS.get(list).ok()?;
                words.push([list.len() as u64])?;
                for &handle in list.iter() {
                    tensors.with(handle, |tensor| describe(tensor, &mut addresses, words)).ok()??;
                }
            }
            Argument::Scalar(handle) => words.push(SCALARS.with(handle, |scalar| scalar.words()).ok()?)?,
            Argument::Scalars(list) => {
                let list = SCALAR_LISTS.get(list).ok()?;
                words.push([list.len() as u64])?;
                for &handle in list.iter() {
                    words.push(SCALARS.with(handle, |scalar| scalar.words()).ok()?)?;
                }
            }
            Argument::Ints(array) => add(&INT_ARRAYS, array, |value| *value as u64, words)?,
            Argument::Floats(array) => {
                add(&FLOAT_ARRAYS, array, |value| value.to_bits().into(), words)?;
            }
            Argument::Bools(array) => add(&BOOL_ARRAYS, array, |value| (*value).into(), words)?,
            // Names are not read before the checks.
            Argument::Text(_) => return None,
            Argument::DType(dtype) => words.push([dtype.0 as u64])?,
            Argument::Int(value) => words.push([value as u64])?,
            Argument::Unsigned(value) => words.push([value])?,
            Argument::Float(value) => words.push([value.to_bits()])?,
            Argument::Bool(value) => words.push([value.into()])?,
        }
    }
    Some(())
}

/// Adds the values of an array, and how many there are.
fn add<T>(
    registry: &Registry<Vec<T>>,
    array: usize,
    word: impl Fn(&T) -> u64,
    words: &mut impl Words,
) -> Option<()> {
    let values = registry.get(array).ok()?;
    words.push([values.len() as u64])?;
    words.extend(values.iter().map(word))
}

/// Adds a tensor: which one before it begins at the same address, and what it says of its elements.
#[inline]
fn describe(tensor: &Tensor, addresses: &mut SmallVec<[usize; 8]>, words: &mut impl Words) -> Option<()> {
    let address = tensor.address();
    let same = addresses.iter().position(|other| *other == address).unwrap_or(addresses.len());
    addresses.push(address);
    let [low, high] = tensor.description.identity();
    words.push([same as u64, low, high])
}

/// How many functions are told apart in [`Cache::recent`]. Others share a place.
const RECENT: usize = 64;

/// The plans of one thread.
pub(crate) struct Cache {
    /// The plans that were found last, each at the place of its function, which is mostly called alike again.
    recent: [Option<Rc<Kept>>; RECENT],
    /// By the hash of the key. Of two keys with one hash, the later one is kept.
    plans: HashMap<u64, Rc<Kept>, BuildHasherDefault<Ready>>,
    /// Look-ups so far.
    now: u64,
    limit: usize,
}

struct Kept {
    words: Box<[u64]>,
    plan: Arc<SharedPlan>,
    /// When it was looked up last.
    used: Cell<u64>,
}

impl Cache {
    /// Keeps at most `limit` plans.
    fn new(limit: usize) -> Self {
        Cache { recent: [const { None }; RECENT], plans: HashMap::default(), now: 0, limit }
    }

    /// The plan of the call that `function` answered last, if this one is identical.
    #[inline]
    fn find_recent(&mut self, function: &'static str, arguments: &[Argument]) -> Option<&Arc<SharedPlan>> {
        let kept = self.recent[place(function)].as_ref()?;
        let mut words = Expected(&kept.words);
        tell(function, arguments, &mut words)?;
        if !words.0.is_empty() {
            return None;
        }
        self.now += 1;
        kept.used.set(self.now);
        Some(&kept.plan)
    }

    fn find(&mut self, function: &'static str, key: &Key) -> Option<&Arc<SharedPlan>> {
        self.now += 1;
        let kept = self.plans.get(&key.hash).filter(|kept| *kept.words == *key.words)?;
        kept.used.set(self.now);
        Some(&self.recent[place(function)].insert(Rc::clone(kept)).plan)
    }

    fn keep(&mut self, key: &Key, plan: &Arc<SharedPlan>) {
        if self.plans.len() >= self.limit {
            // At least half of the plans are dropped, so that the cost of this search is spread over many calls.
            let latest = self.limit as u64 / 2;
            let now = self.now;
            self.plans.retain(|_, kept| kept.used.get() + latest > now);
            self.recent = [const { None }; RECENT];
        }
        if self.limit > 0 {
            let used = Cell::new(self.now);
            let kept = Kept { words: Box::from(&*key.words), plan: Arc::clone(plan), used };
            self.plans.insert(key.hash, Rc::new(kept));
        }
    }
}

/// Where a function is remembered. Texts begin anywhere.
#[inline]
fn place(function: &'static str) -> usize {
    (function.as_ptr().addr() / 8) % RECENT
}

/// Runs `look` on the plan of an identical call. Without one, `make` makes a plan, which is kept.
#[inline]
pub(super) fn with(
    function: &'static str,
    arguments: &[Argument],
    make: impl FnOnce() -> Result<Plan>,
    look: impl Fn(&Arc<SharedPlan>),
) -> Result {
    // Refused only while the thread ends.
    let recent =
        CACHE.try_with(|cache| cache.borrow_mut().find_recent(function, arguments).map(&look)).ok().flatten();
    match recent {
        Some(()) => Ok(()),
        None => with_another(function, arguments, make, look),
    }
}

/// As `with`, for another call than the function answered last.
#[inline(never)]
fn with_another(
    function: &'static str,
    arguments: &[Argument],
    make: impl FnOnce() -> Result<Plan>,
    look: impl Fn(&Arc<SharedPlan>),
) -> Result {
    let is_on = CACHE.try_with(|cache| cache.borrow().limit > 0).unwrap_or(false);
    let mut key = Key::default();
    let has_key = is_on && tell(function, arguments, &mut key).is_some();
    if has_key {
        let found = CACHE.try_with(|cache| cache.borrow_mut().find(function, &key).map(&look));
        if found.ok().flatten().is_some() {
            return Ok(());
        }
    }
    let plan: Arc<SharedPlan> = make()?.into();
    if has_key && plan.is_kept() {
        let _ = CACHE.try_with(|cache| cache.borrow_mut().keep(&key, &plan));
    }
    look(&plan);
    Ok(())
}

/// Gives this thread a new empty cache and returns the previous one.
pub(crate) fn exchange(limit: usize) -> Option<Cache> {
    restore(Cache::new(limit))
}

/// Gives this thread a cache back.
pub(crate) fn restore(cache: Cache) -> Option<Cache> {
    CACHE.try_with(|current| current.replace(cache)).ok()
}

/// Takes what is a hash already.
#[derive(Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn write(&mut self, _: &[u8]) {
        debug_assert!(false, "the keys are hashes");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash ^ hash >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
