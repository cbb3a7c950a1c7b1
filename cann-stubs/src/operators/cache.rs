//! The library's own cache of planned operators, as far as a program can see it.
//!
//! An identical call on the same thread skips every check and gets an executor that cannot be made repeatable. Calls are
//! identical when function, descriptors and scalars are the same, and the same tensors share an address; the addresses
//! themselves may differ. A plan serves other calls once a launch of it has completed. The library never keeps some plans
//! ([`Plan::is_kept`]), and a plan whose executor was made repeatable belongs to that executor.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use smallvec::SmallVec;

use super::argument::Argument;
use crate::handle::Registry;
use crate::meta::array::{BOOL_ARRAYS, FLOAT_ARRAYS, INT_ARRAYS};
use crate::meta::list::{SCALAR_LISTS, TENSOR_LISTS};
use crate::meta::plan::Plan;
use crate::meta::scalar::SCALARS;
use crate::meta::tensor::{TENSORS, Tensor};
use crate::runtime::is_deterministic;
use crate::settings;

thread_local!(static CACHE: RefCell<Cache> = RefCell::new(Cache::new(settings::get().cache_limit)));

/// The word of a call that must be deterministic; the words of no first argument begin with it.
const DETERMINISTIC: u64 = u64::MAX - 1;

/// Everything that makes two calls identical, as words.
pub(super) struct Key {
    hash: u64,
    /// Those of an operator of three tensors with four axes fit.
    words: SmallVec<[u64; 64]>,
}

impl Key {
    /// A key without words.
    #[inline]
    pub(super) fn new() -> Self {
        Key { hash: 0, words: SmallVec::new() }
    }

    /// An odd number whose bits look random, so that the upper half of a product depends on every bit.
    #[inline]
    fn mix(&mut self, word: u64) {
        self.hash = (self.hash.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn push(&mut self, word: u64) {
        self.mix(word);
        self.words.push(word);
    }

    #[inline]
    fn extend(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.push(word));
    }

    /// Adds the words of a call to a new key. `None` when an argument names no object, which the checks of the call report.
    pub(super) fn add_call(&mut self, function: &'static str, arguments: &[Argument]) -> Option<()> {
        let words = self;
        words.extend([function.as_ptr().addr() as u64, function.len() as u64]);
        if is_deterministic() {
            words.push(DETERMINISTIC);
        }
        let mut addresses: SmallVec<[usize; 4]> = SmallVec::new();
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
                | Argument::Bools(0) => words.push(u64::MAX),
                Argument::Tensor(handle) => {
                    tensors.with(handle, |tensor| describe(tensor, &mut addresses, words)).ok()?;
                }
                Argument::Tensors(list) => {
                    let list = TENSOR_LISTS.get(list).ok()?;
                    words.push(list.len() as u64);
                    for &handle in list.iter() {
                        tensors.with(handle, |tensor| describe(tensor, &mut addresses, words)).ok()?;
                    }
                }
                Argument::Scalar(handle) => words.extend(SCALARS.with(handle, |scalar| scalar.words()).ok()?),
                Argument::Scalars(list) => {
                    let list = SCALAR_LISTS.get(list).ok()?;
                    words.push(list.len() as u64);
                    for &handle in list.iter() {
                        words.extend(SCALARS.with(handle, |scalar| scalar.words()).ok()?);
                    }
                }
                Argument::Ints(array) => add(&INT_ARRAYS, array, |value| *value as u64, words)?,
                Argument::Floats(array) => {
                    add(&FLOAT_ARRAYS, array, |value| value.to_bits().into(), words)?;
                }
                Argument::Bools(array) => add(&BOOL_ARRAYS, array, |value| (*value).into(), words)?,
                // Names are not read before the checks.
                Argument::Text(_) => return None,
                Argument::DType(dtype) => words.push(dtype.0 as u64),
                Argument::Int(value) => words.push(value as u64),
                Argument::Unsigned(value) => words.push(value),
                Argument::Float(value) => words.push(value.to_bits()),
                Argument::Bool(value) => words.push(value.into()),
            }
        }
        Some(())
    }
}

/// Adds the values of an array, and how many there are.
fn add<T>(
    registry: &Registry<Vec<T>>,
    array: usize,
    word: impl Fn(&T) -> u64,
    words: &mut Key,
) -> Option<()> {
    let values = registry.get(array).ok()?;
    words.push(values.len() as u64);
    words.extend(values.iter().map(word));
    Some(())
}

/// Adds what a tensor says of its elements, and which tensor before it begins at the same address.
#[inline]
fn describe(tensor: &Tensor, addresses: &mut SmallVec<[usize; 4]>, key: &mut Key) {
    let address = tensor.address();
    let same = addresses.iter().position(|other| *other == address).unwrap_or(addresses.len());
    addresses.push(address);
    let (first, axes, hash) = tensor.description.words();
    key.mix(hash.wrapping_add(same as u64));
    key.words.push(same as u64);
    key.words.extend_from_slice(bytemuck::cast_slice(&first));
    key.words.extend_from_slice(bytemuck::cast_slice(axes));
}

/// The plans of one thread.
pub(crate) struct Cache {
    /// By the hash of the key. Of two keys with one hash, the later one is kept.
    plans: HashMap<u64, Kept, BuildHasherDefault<Ready>>,
    /// Look-ups so far.
    now: u64,
    limit: usize,
}

struct Kept {
    words: Box<[u64]>,
    plan: Arc<Plan>,
    /// When it was looked up last.
    used: u64,
}

impl Cache {
    /// Keeps at most `limit` plans.
    fn new(limit: usize) -> Self {
        Cache { plans: HashMap::default(), now: 0, limit }
    }

    fn find(&mut self, key: &Key) -> Option<&Arc<Plan>> {
        self.now += 1;
        let kept = self.plans.get_mut(&key.hash).filter(|kept| *kept.words == *key.words)?;
        kept.used = self.now;
        Some(&kept.plan)
    }

    fn keep(&mut self, key: &Key, plan: &Arc<Plan>) {
        if self.plans.len() >= self.limit {
            // At least half of the plans are dropped, so that the cost of this search is spread over many calls.
            let latest = self.limit as u64 / 2;
            let now = self.now;
            self.plans.retain(|_, kept| kept.used + latest > now);
        }
        if self.limit > 0 {
            let kept = Kept { words: Box::from(&*key.words), plan: Arc::clone(plan), used: self.now };
            self.plans.insert(key.hash, kept);
        }
    }
}

/// Whether this thread keeps plans.
pub(super) fn is_on() -> bool {
    CACHE.try_with(|cache| cache.borrow().limit > 0).unwrap_or(false)
}

/// Runs `look` on the plan of an identical call, if there is one.
#[inline]
pub(super) fn with<R>(key: &Key, look: impl FnOnce(&Arc<Plan>) -> R) -> Option<R> {
    // Refused only while the thread ends.
    CACHE.try_with(|cache| cache.borrow_mut().find(key).map(look)).ok().flatten()
}

/// Keeps a plan for identical calls.
pub(super) fn keep(key: &Key, plan: &Arc<Plan>) {
    let _ = CACHE.try_with(|cache| cache.borrow_mut().keep(key, plan));
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
