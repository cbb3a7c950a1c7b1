//! Opaque handles that are never dereferenced.
//!
//! A handle is a number of the size of a pointer: the kind of object, a generation and a slot. Looking a handle up takes a
//! lock for a moment. Null, random numbers, handles of another kind and handles whose object is gone are recognised, so no
//! argument of a C caller can make the emulator read memory that is not an object.

mod errors;
mod kind;
mod known;

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

pub(crate) use errors::Dangling;
pub(crate) use kind::Kind;
pub(crate) use known::Known;

use crate::check::live_objects;
use crate::sync::{BiasedGuard, BiasedLock, number_of_owner};

/// How many ended objects of a shard keep their allocation for the next ones.
const SPARES: usize = 64;

/// How many locks the objects of one kind are spread over.
const SHARDS: usize = 16;
const SLOT_BITS: u32 = 24;
const GENERATION_BITS: u32 = 24;
const SHARD_BITS: u32 = 4;

/// Every live object of one kind.
pub(crate) struct Registry<T> {
    kind: Kind,
    shards: [BiasedLock<Shard<T>>; SHARDS],
}

struct Shard<T> {
    slots: Vec<Slot<T>>,
    /// Free slots without an object.
    free: Vec<u32>,
    /// Free slots with an object that has ended, at most [`SPARES`]. They are used first.
    spares: Vec<u32>,
}

impl<T> Shard<T> {
    /// The slot of a live object of a `kind`.
    #[inline]
    fn live(&mut self, kind: Kind, handle: usize) -> Result<&mut Slot<T>, Dangling> {
        let slots = self.slots.len();
        match self.slots.get_mut(slot(handle)) {
            Some(slot) if slot.handle == handle => Ok(slot),
            _ => Err(dangling(kind, handle, slots)),
        }
    }

    /// The live object behind a handle, which is one of a `kind`.
    #[inline]
    fn object(&mut self, kind: Kind, handle: usize) -> Result<&mut Arc<T>, Dangling> {
        self.live(kind, handle)?.object.as_mut().ok_or(Dangling::Destroyed)
    }

    /// Takes the object behind a handle, and frees its slot.
    #[inline]
    fn take(&mut self, kind: Kind, handle: usize) -> Result<Arc<T>, Dangling> {
        let entry = self.live(kind, handle)?;
        entry.end();
        let object = entry.object.take();
        self.free.push(slot(handle) as u32);
        object.ok_or(Dangling::Destroyed)
    }

    /// A free slot. Its objects have handles of a `kind` in the shard of this number.
    #[inline]
    fn vacant(&mut self, kind: Kind, shard: usize) -> u32 {
        self.spares.pop().or_else(|| self.free.pop()).unwrap_or_else(|| {
            let slot = self.slots.len() as u32;
            self.slots.push(Slot { handle: NONE, next: first_handle(kind, shard, slot), object: None });
            slot
        })
    }
}

/// Looks up handles one after the other, and keeps the shard of the last one locked: it must not live long, and no other
/// function of the registry may be called meanwhile.
pub(crate) struct Reader<'a, T> {
    registry: &'a Registry<T>,
    held: Option<(usize, BiasedGuard<'a, Shard<T>>)>,
}

impl<T> Reader<'_, T> {
    /// Runs `look` on the object behind `handle`, under the lock, so it must be short.
    #[inline]
    pub(crate) fn with<R>(&mut self, handle: usize, look: impl FnOnce(&Arc<T>) -> R) -> Result<R, Dangling> {
        let index = shard(handle);
        if self.held.as_ref().is_some_and(|(held, _)| *held != index) {
            // Two shards are never locked at a time.
            self.held = None;
        }
        let (_, shard) = self.held.get_or_insert_with(|| (index, self.registry.shard(index)));
        shard.object(self.registry.kind, handle).map(|object| look(object))
    }
}

struct Slot<T> {
    /// The handle of the object, or [`NONE`] where it has ended.
    handle: usize,
    /// The handle of the next object, of another generation.
    next: usize,
    /// An object that has ended may stay, for its allocation.
    object: Option<Arc<T>>,
}

impl<T> Slot<T> {
    /// Makes the next handle that of the object.
    #[inline]
    fn begin(&mut self) -> usize {
        self.handle = self.next;
        self.handle
    }

    /// Ends the handle of the object.
    #[inline]
    fn end(&mut self) {
        const ONE: usize = 1 << (SHARD_BITS + SLOT_BITS);
        const ALL: usize = ((1 << GENERATION_BITS) - 1) * ONE;
        self.next = self.handle & !ALL | self.handle.wrapping_add(ONE) & ALL;
        self.handle = NONE;
    }
}

/// No object has this handle, and it is looked for in a slot that there never is.
const NONE: usize = usize::MAX;

impl<T> Registry<T> {
    pub(crate) const fn new(kind: Kind) -> Self {
        let shards = [const { BiasedLock::new(Shard { slots: Vec::new(), free: Vec::new(), spares: Vec::new() }) };
            SHARDS];
        Self { kind, shards }
    }

    fn shard(&self, index: usize) -> BiasedGuard<'_, Shard<T>> {
        self.shards[index % SHARDS].lock()
    }

    /// Keeps `object` alive until its handle is removed.
    pub(crate) fn insert(&self, object: T) -> usize {
        self.insert_by(|place| match place.as_mut().and_then(Arc::get_mut) {
            Some(ended) => *ended = object,
            None => *place = Some(Arc::new(object)),
        })
    }

    /// Keeps an object as `insert` does: a new one that `make` gives, or one that has ended, which `fill` turns into another.
    /// Both run under the lock, so they must be short.
    #[inline]
    pub(crate) fn insert_filled(&self, make: impl FnOnce() -> T, fill: impl FnOnce(&mut T)) -> usize {
        self.insert_by(|place| match place.as_mut().and_then(Arc::get_mut) {
            Some(ended) => fill(ended),
            None => *place = Some(Arc::new(make())),
        })
    }

    pub(crate) fn insert_shared(&self, object: Arc<T>) -> usize {
        self.insert_by(|place| *place = Some(object))
    }

    /// Makes a handle for the object that `put` leaves in a place.
    #[inline]
    fn insert_by(&self, put: impl FnOnce(&mut Option<Arc<T>>)) -> usize {
        // Threads are spread over the shards, so that they seldom wait for the same lock.
        let index = number_of_owner() as usize % SHARDS;
        let mut shard = self.shard(index);
        let slot = shard.vacant(self.kind, index);
        let entry = &mut shard.slots[slot as usize];
        put(&mut entry.object);
        let handle = entry.begin();
        drop(shard);
        live_objects::made(handle, self.kind.is_made_often());
        handle
    }

    /// The object behind `handle`.
    pub(crate) fn get(&self, handle: usize) -> Result<Arc<T>, Dangling> {
        self.look(handle, |object| Arc::clone(object))
    }

    /// Runs `look` on the object behind `handle`, without cloning its `Arc`. It runs under the lock, so it must be short.
    pub(crate) fn with<R>(&self, handle: usize, look: impl FnOnce(&T) -> R) -> Result<R, Dangling> {
        self.look(handle, |object| look(object))
    }

    /// Puts another object behind `handle`, and returns the previous one.
    pub(crate) fn replace(&self, handle: usize, object: T) -> Result<Arc<T>, Dangling> {
        let object = Arc::new(object);
        self.look(handle, |place| std::mem::replace(place, object))
    }

    /// Looks several handles up with few locks: the objects of one thread are usually in one shard.
    pub(crate) fn reader(&self) -> Reader<'_, T> {
        Reader { registry: self, held: None }
    }

    /// Runs `look` on the objects behind some handles, under the lock, so it must be short. Fails with the number of the first
    /// one that names no object.
    #[inline]
    pub(crate) fn each(
        &self,
        handles: &[usize],
        mut look: impl FnMut(&Arc<T>),
    ) -> Result<(), (usize, Dangling)> {
        let mut number = 0;
        while let Some(first) = handles.get(number) {
            let mut held = self.shard(shard(*first));
            // Objects of one thread are usually in one shard.
            while let Some(handle) = handles.get(number).filter(|handle| shard(**handle) == shard(*first)) {
                look(held.object(self.kind, *handle).map_err(|why| (number, why))?);
                number += 1;
            }
        }
        Ok(())
    }

    #[inline]
    fn look<R>(&self, handle: usize, look: impl FnOnce(&mut Arc<T>) -> R) -> Result<R, Dangling> {
        self.shard(shard(handle)).object(self.kind, handle).map(look)
    }

    /// Removes and returns the object behind `handle`; the handle names no object afterwards.
    pub(crate) fn remove(&self, handle: usize) -> Result<Arc<T>, Dangling> {
        let object = self.shard(shard(handle)).take(self.kind, handle)?;
        live_objects::gone(handle);
        Ok(object)
    }

    /// The object behind `handle`, which is removed unless it `stays`. Returns whether it stays, too.
    #[inline]
    pub(crate) fn remove_unless(
        &self,
        handle: usize,
        stays: impl FnOnce(&T) -> bool,
    ) -> Result<(Arc<T>, bool), Dangling> {
        let mut held = self.shard(shard(handle));
        let shard = &mut *held;
        let entry = shard.live(self.kind, handle)?;
        if let Some(object) = &entry.object
            && stays(object)
        {
            return Ok((Arc::clone(object), true));
        }
        entry.end();
        let object = entry.object.take();
        shard.free.push(slot(handle) as u32);
        drop(held);
        live_objects::gone(handle);
        Ok((object.ok_or(Dangling::Destroyed)?, false))
    }

    /// Ends the object behind `handle` as `remove` does, after `last`. What the object holds may be released only when the next
    /// one comes.
    #[inline]
    pub(crate) fn end(&self, handle: usize, last: impl FnOnce(&T)) -> Result<(), Dangling> {
        let mut held = self.shard(shard(handle));
        let shard = &mut *held;
        let room = shard.spares.len() < SPARES;
        let entry = shard.live(self.kind, handle)?;
        entry.end();
        let mut is_spare = false;
        if let Some(object) = &entry.object {
            last(object);
            is_spare = room && Arc::strong_count(object) == 1;
        }
        let gone = if is_spare { None } else { entry.object.take() };
        if is_spare { &mut shard.spares } else { &mut shard.free }.push(slot(handle) as u32);
        drop(held);
        drop(gone);
        live_objects::gone(handle);
        Ok(())
    }

    /// Every live object, for teardown and reports.
    pub(crate) fn live(&self) -> Vec<(usize, Arc<T>)> {
        let mut all = Vec::new();
        for index in 0..SHARDS {
            for entry in &self.shard(index).slots {
                if let Some(object) = entry.object.as_ref().filter(|_| entry.handle != NONE) {
                    all.push((entry.handle, Arc::clone(object)));
                }
            }
        }
        all
    }
}

/// Why a handle names no live object of a kind, in a shard of so many slots.
#[cold]
#[inline(never)]
fn dangling(kind: Kind, handle: usize, slots: usize) -> Dangling {
    if handle == 0 {
        return Dangling::Null;
    }
    let is_handle = handle & ((1 << SHARD_BITS) - 1) == 0;
    match Kind::of(handle).filter(|_| is_handle) {
        Some(own) if own != kind => Dangling::Foreign(Some(own)),
        Some(_) if slot(handle) < slots => Dangling::Destroyed,
        _ => Dangling::Foreign(None),
    }
}

/// The shard of a handle, whatever its kind.
#[inline]
fn shard(handle: usize) -> usize {
    (handle >> (SHARD_BITS + SLOT_BITS + GENERATION_BITS)) & (SHARDS - 1)
}

/// The slot of a handle, whatever its kind.
#[inline]
fn slot(handle: usize) -> usize {
    handle >> SHARD_BITS & ((1 << SLOT_BITS) - 1)
}

/// The handle of the first object in a slot. From the top: kind (8 bits), shard (4), generation (24), slot (24), zero (4).
fn first_handle(kind: Kind, shard: usize, slot: u32) -> usize {
    (kind as usize) << 56
        | shard << (SHARD_BITS + SLOT_BITS + GENERATION_BITS)
        | (slot as usize) << SHARD_BITS
}

/// The pointer that stands for `handle` in C.
pub(crate) fn to_pointer<T>(handle: usize) -> *mut T {
    ptr::without_provenance_mut(handle)
}

/// The handle behind a pointer of a C caller.
pub(crate) fn from_pointer<T>(pointer: *const T) -> usize {
    pointer.cast::<c_void>().addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_finds_its_object_until_it_is_removed() {
        let registry = Registry::new(Kind::Tensor);
        let handle = registry.insert(7);
        assert_eq!(registry.get(handle).as_deref(), Ok(&7));
        assert_eq!(registry.remove(handle).as_deref(), Ok(&7));
        assert_eq!(registry.get(handle), Err(Dangling::Destroyed));
        assert_eq!(registry.remove(handle), Err(Dangling::Destroyed));
        let reused = registry.insert(8);
        assert_ne!(reused, handle, "a slot that is used again has another generation");
        assert_eq!(registry.get(handle), Err(Dangling::Destroyed));
    }

    #[test]
    fn the_place_of_an_object_that_has_ended_is_used_again_unless_somebody_holds_it() {
        let registry = Registry::new(Kind::Tensor);
        let (first, held) = (registry.insert(7), registry.insert(8));
        let eight = registry.get(held).unwrap();
        let mut last = Vec::new();
        for handle in [first, held] {
            registry.end(handle, |object| last.push(*object)).unwrap();
            assert_eq!(registry.end(handle, |_| unreachable!()), Err(Dangling::Destroyed));
            assert_eq!(registry.get(handle), Err(Dangling::Destroyed));
        }
        assert_eq!((last, registry.live().len()), (vec![7, 8], 0));
        let handles = [registry.insert_filled(|| 0, |object| *object += 1), registry.insert(9)];
        assert!(handles.iter().all(|handle| ![first, held].contains(handle)));
        // What was not held was completed in its place.
        assert_eq!(handles.map(|handle| *registry.get(handle).unwrap()), [8, 9]);
        assert_eq!((*eight, registry.live().len()), (8, 2));
    }

    #[test]
    fn places_are_used_again_however_many_objects_lived_before() {
        let registry = Registry::new(Kind::Tensor);
        let handles: Vec<usize> = (0..10 * SPARES).map(|number| registry.insert(number)).collect();
        handles.iter().for_each(|handle| registry.end(*handle, |_| ()).unwrap());
        for number in 0..2 * SPARES {
            let handle = registry.insert_filled(|| unreachable!("no place is left"), |place| *place = number);
            assert_eq!(registry.get(handle).as_deref(), Ok(&number));
            registry.end(handle, |_| ()).unwrap();
        }
        assert_eq!(registry.shard(number_of_owner() as usize % SHARDS).spares.len(), SPARES);
    }

    #[test]
    fn what_does_not_stay_is_removed_and_held_by_nobody_else() {
        let registry = Registry::new(Kind::Executor);
        let handle = registry.insert(7);
        let (mut shared, stays) = registry.remove_unless(handle, |_| true).unwrap();
        assert_eq!((*shared, stays, Arc::get_mut(&mut shared)), (7, true, None));
        drop(shared);
        let (mut removed, stays) = registry.remove_unless(handle, |number| *number != 7).unwrap();
        assert_eq!((*removed, stays, Arc::get_mut(&mut removed)), (7, false, Some(&mut 7)));
        assert_eq!(registry.get(handle), Err(Dangling::Destroyed));
        assert_eq!(registry.remove_unless(handle, |_| true), Err(Dangling::Destroyed));
    }

    #[test]
    fn a_reader_finds_objects_of_several_threads() {
        static NUMBERS: Registry<usize> = Registry::new(Kind::Tensor);
        let handles: Vec<_> = (0..2 * SHARDS)
            .map(|number| std::thread::spawn(move || NUMBERS.insert(number)).join().unwrap())
            .collect();
        NUMBERS.remove(handles[3]).unwrap();
        let mut reader = NUMBERS.reader();
        for (number, handle) in handles.iter().enumerate() {
            let expected = if number == 3 { Err(Dangling::Destroyed) } else { Ok(number) };
            assert_eq!(reader.with(*handle, |found| **found), expected);
        }
        assert_eq!(reader.with(0, |found| **found), Err(Dangling::Null));
    }

    #[test]
    fn no_garbage_names_a_free_place() {
        static NUMBERS: Registry<usize> = Registry::new(Kind::Tensor);
        // In every shard.
        for number in 0..2 * SHARDS {
            let handle = std::thread::spawn(move || NUMBERS.insert(number)).join().unwrap();
            NUMBERS.end(handle, |_| ()).unwrap();
            for garbage in [1, 8, 17, NONE, handle + 1] {
                assert_eq!(NUMBERS.get(garbage), Err(Dangling::Foreign(None)), "{garbage:#x}");
                assert_eq!(NUMBERS.end(garbage, |_| unreachable!()), Err(Dangling::Foreign(None)));
            }
        }
    }

    #[test]
    fn null_garbage_and_other_kinds_are_told_apart() {
        let tensors = Registry::new(Kind::Tensor);
        let scalars = Registry::new(Kind::Scalar);
        let scalar = scalars.insert(1);
        tensors.insert(2);
        assert_eq!(tensors.get(0), Err(Dangling::Null));
        let foreign = tensors.get(scalar).unwrap_err();
        assert_eq!(foreign, Dangling::Foreign(Some(Kind::Scalar)));
        assert_eq!(foreign.explain("self"), "self is not a handle of that kind: it is that of a scalar");
        for garbage in [1, 8, usize::MAX, 0x7fff_ffff_0000, scalar + 1] {
            assert_eq!(tensors.get(garbage), Err(Dangling::Foreign(None)), "{garbage:#x}");
        }
    }
}
