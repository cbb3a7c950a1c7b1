//! Sources of seed and offset.

use super::philox::Philox;
use crate::Bound;

/// A seed and an offset.
#[derive(Clone, Copy)]
pub enum Seeds {
    Given {
        seed: u64,
        offset: u64,
    },
    /// The first two inputs hold them, to the second of which `offset` is added.
    Read {
        offset: u64,
    },
}

impl Seeds {
    /// How many inputs hold them.
    pub(super) fn inputs(self) -> usize {
        match self {
            Seeds::Given { .. } => 0,
            Seeds::Read { .. } => 2,
        }
    }

    /// Those for elements from `first` on, to which the inputs are broadcast.
    pub(super) fn of_elements(self, inputs: &[Bound<'_>], first: usize) -> Philox {
        self.read(inputs, |input| {
            let mut word = [0; size_of::<u64>()];
            input.gather(first..first + 1, &mut word);
            word
        })
    }

    /// Those for a lane; the lanes of the inputs have one element.
    pub(super) fn of_lane(self, inputs: &[&[u8]]) -> Philox {
        self.read(inputs, |input| input.first_chunk().copied().unwrap_or_default())
    }

    fn read<T>(self, inputs: &[T], word: impl Fn(&T) -> [u8; 8]) -> Philox {
        match (self, inputs) {
            (Seeds::Given { seed, offset }, _) => Philox::new(seed, offset),
            (Seeds::Read { offset }, [seed, start, ..]) => {
                let [seed, start] = [seed, start].map(|input| u64::from_ne_bytes(word(input)));
                Philox::new(seed, start.wrapping_add(offset))
            }
            // The operator gives both.
            (Seeds::Read { offset }, _) => Philox::new(0, offset),
        }
    }
}
