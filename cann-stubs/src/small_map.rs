//! Maps of few entries.

use std::fmt;

/// Entries in the order of their keys. Those behind a new one are moved, so there should be few, or the last key be the greatest.
#[derive(Clone)]
pub(crate) struct SmallMap<K, V>(Vec<(K, V)>);

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SmallMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(key, value)| (key, value))).finish()
    }
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> SmallMap<K, V> {
    pub(crate) const fn new() -> Self {
        SmallMap(Vec::new())
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, (K, V)> {
        self.0.iter()
    }

    /// Keeps the entries whose keys are to be kept.
    pub(crate) fn retain(&mut self, keeps: impl Fn(&K) -> bool) {
        self.0.retain(|(key, _)| keeps(key));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Ord, V> SmallMap<K, V> {
    /// The place of a key, or the one where it would be.
    fn find(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| own.cmp(key))
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.find(key).ok().map(|index| &self.0[index].1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.find(key).ok().map(|index| &mut self.0[index].1)
    }

    /// The value of a key, which is added if there is none.
    pub(crate) fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let index = self.find(&key).unwrap_or_else(|index| {
            self.0.insert(index, (key, V::default()));
            index
        });
        &mut self.0[index].1
    }

    /// Adds a value, in place of the one that the key has.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.find(&key) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (key, value)),
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.find(key).ok().map(|index| self.0.remove(index).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_in_the_order_of_their_keys() {
        let mut map = SmallMap::new();
        for (key, value) in [(5, 'a'), (1, 'b'), (9, 'c'), (1, 'd')] {
            map.insert(key, value);
        }
        assert!(map.iter().eq(&[(1, 'd'), (5, 'a'), (9, 'c')]));
        assert_eq!([1, 2, 9].map(|key| map.get(&key).copied()), [Some('d'), None, Some('c')]);
        map.get_mut(&5).into_iter().for_each(|value| *value = 'e');
        assert_eq!((*map.or_default(5), *map.or_default(7)), ('e', '\0'));
        assert_eq!((map.remove(&5), map.remove(&5)), (Some('e'), None));
        map.retain(|key| *key > 7);
        assert!(map.iter().eq(&[(9, 'c')]));
    }
}
