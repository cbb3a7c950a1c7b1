//! Handles that a thread has used: it mostly uses them again, and then finds them without a lock.

use std::cell::RefCell;
use std::sync::Arc;

use super::slot;

/// The most places. Objects whose slots are that far apart share a place.
const MOST: usize = 4096;

/// The most references to one object.
const MOST_OF_ONE: usize = 512;

/// Objects with their handles, each at the place of its slot, so that their number does not matter. Who finds one asks
/// whether its handle still names it.
///
/// References move in and out, since to count one more takes longer than all that is done here.
pub(crate) struct Known<T>(RefCell<Vec<Place<T>>>);

struct Place<T> {
    handle: usize,
    object: Option<Arc<T>>,
    /// More references to the object, of which as many are in use at a time.
    more: Vec<Arc<T>>,
}

impl<T> Place<T> {
    const NONE: Self = Place { handle: 0, object: None, more: Vec::new() };
}

impl<T> Known<T> {
    pub(crate) const fn new() -> Self {
        Known(RefCell::new(Vec::new()))
    }

    /// Takes a reference to the object that was remembered with this handle.
    #[inline]
    pub(crate) fn take(&self, handle: usize) -> Option<Arc<T>> {
        let mut places = self.0.borrow_mut();
        let place = places.get_mut(slot(handle) % MOST).filter(|place| place.handle == handle)?;
        place.object.take().or_else(|| place.more.pop())
    }

    /// Remembers an object with its handle.
    #[inline]
    pub(crate) fn keep(&self, handle: usize, object: Arc<T>) {
        // Mostly it was taken before.
        if let Some(place) = self.0.borrow_mut().get_mut(slot(handle) % MOST)
            && place.handle == handle
            && place.object.is_none()
        {
            place.object = Some(object);
            return;
        }
        self.keep_another(handle, object);
    }

    /// Remembers an object instead of another one at its place, or one more reference to that.
    #[inline(never)]
    fn keep_another(&self, handle: usize, object: Arc<T>) {
        let (mut places, number) = (self.0.borrow_mut(), slot(handle) % MOST);
        if places.len() <= number {
            places.resize_with((number + 1).next_power_of_two(), || Place::NONE);
        }
        let place = &mut places[number];
        let is_same = place.handle == handle;
        if is_same && place.more.len() < MOST_OF_ONE {
            place.more.push(object);
            return;
        }
        let before = if is_same {
            Place { object: Some(object), ..Place::NONE }
        } else {
            std::mem::replace(place, Place { handle, object: Some(object), ..Place::NONE })
        };
        // Whatever ends with it may use handles.
        drop(places);
        drop(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::{Kind, Registry};

    #[test]
    fn as_many_objects_are_remembered_as_there_are() {
        let (registry, known) = (Registry::new(Kind::Stream), Known::new());
        let handles: Vec<usize> = (0..1000).map(|number| registry.insert(number)).collect();
        for handle in &handles {
            assert_eq!(known.take(*handle), None);
            known.keep(*handle, registry.get(*handle).unwrap());
        }
        for (number, handle) in handles.iter().enumerate() {
            let object = known.take(*handle).unwrap();
            assert_eq!(*object, number);
            known.keep(*handle, object);
        }
        // The next object in a slot has another handle.
        registry.remove(handles[7]).unwrap();
        let next = registry.insert(7000);
        assert_eq!(known.take(next), None);
        assert_eq!(known.take(handles[7]).as_deref(), Some(&7));
        assert_eq!(known.take(handles[7]), None);
    }

    #[test]
    fn references_to_one_object_come_back_as_they_went() {
        let (registry, known) = (Registry::new(Kind::Executor), Known::new());
        let handle = registry.insert(7);
        let references: Vec<_> = (0..MOST_OF_ONE + 9).map(|_| registry.get(handle).unwrap()).collect();
        references.into_iter().for_each(|object| known.keep(handle, object));
        let object = registry.get(handle).unwrap();
        // Those above the most are dropped.
        assert_eq!(Arc::strong_count(&object), 2 + MOST_OF_ONE + 1);
        assert!((0..=MOST_OF_ONE).all(|_| known.take(handle).is_some()));
        assert_eq!((known.take(handle), Arc::strong_count(&object)), (None, 2));
        // Another object at the place ends them all.
        (0..3).for_each(|_| known.keep(handle, Arc::clone(&object)));
        registry.remove(handle).unwrap();
        let next = registry.insert(8);
        known.keep(next, registry.get(next).unwrap());
        assert_eq!((known.take(handle), Arc::strong_count(&object)), (None, 1));
        assert_eq!(known.take(next).as_deref(), Some(&8));
    }
}
