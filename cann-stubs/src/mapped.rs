//! Collections of what a function makes of the items of a slice. Iterators would collect the same, but the compiler makes six
//! functions more of each closure then.

use smallvec::{Array, SmallVec};

use crate::status::Result;

/// A collection that grows item by item.
pub(crate) trait Growing {
    type Item;
    fn with_room(count: usize) -> Self;
    fn add(&mut self, item: Self::Item);
}

impl<T> Growing for Vec<T> {
    type Item = T;

    fn with_room(count: usize) -> Self {
        Vec::with_capacity(count)
    }

    fn add(&mut self, item: T) {
        self.push(item);
    }
}

impl<A: Array> Growing for SmallVec<A> {
    type Item = A::Item;

    fn with_room(count: usize) -> Self {
        SmallVec::with_capacity(count)
    }

    fn add(&mut self, item: A::Item) {
        self.push(item);
    }
}

/// Returns what a function makes of each item.
#[inline(never)]
pub(crate) fn mapped<'a, T, C: Growing>(items: &'a [T], mut make: impl FnMut(&'a T) -> C::Item) -> C {
    let mut made = C::with_room(items.len());
    for item in items {
        made.add(make(item));
    }
    made
}

/// Returns what a function makes of each item, or its first failure.
#[inline(never)]
pub(crate) fn try_mapped<'a, T, C: Growing>(
    items: &'a [T],
    mut make: impl FnMut(&'a T) -> Result<C::Item>,
) -> Result<C> {
    let mut made = C::with_room(items.len());
    for item in items {
        made.add(make(item)?);
    }
    Ok(made)
}
