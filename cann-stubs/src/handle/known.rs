//! What a thread remembers of handles that it has used: it mostly uses them again, and then finds them without a lock.

use std::cell::RefCell;
use std::sync::Arc;

use super::slot;

/// The most places. Objects whose slots are that far apart share a place.
const MOST: usize = 4096;

/// Objects with their handles, each at the place of its slot, so that their number does not matter. Who finds one asks
/// whether its handle still names it.
pub(crate) struct Known<T>(RefCell<Vec<Place<T>>>);

type Place<T> = Option<(usize, Arc<T>)>;

impl<T> Known<T> {
    pub(crate) const fn new() -> Self {
        Known(RefCell::new(Vec::new()))
    }

    /// Takes the object that was remembered with this handle.
    #[inline]
    pub(crate) fn take(&self, handle: usize) -> Option<Arc<T>> {
        let mut places = self.0.borrow_mut();
        let place = places.get_mut(slot(handle) % MOST)?;
        place.take_if(|(own, _)| *own == handle).map(|(_, object)| object)
    }

    /// Remembers an object with its handle.
    #[inline]
    pub(crate) fn keep(&self, handle: usize, object: Arc<T>) {
        // Mostly it was taken before.
        if let Some(place @ None) = self.0.borrow_mut().get_mut(slot(handle) % MOST) {
            *place = Some((handle, object));
            return;
        }
        self.keep_instead(handle, object);
    }

    /// Remembers an object instead of the one that has its place, if there is one.
    #[cold]
    fn keep_instead(&self, handle: usize, object: Arc<T>) {
        let (mut places, place) = (self.0.borrow_mut(), slot(handle) % MOST);
        if places.len() <= place {
            places.resize_with((place + 1).next_power_of_two(), || None);
        }
        let before = places[place].replace((handle, object));
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
}
