//! A block: a run of elements small enough to stay in the first-level cache while it is converted and computed.

use aclnn_numerics::DType;
use aclnn_numerics::convert::{Converter, cann};
use aclnn_numerics::product::Product;
use bytemuck::{Pod, Zeroable};

/// Returns the bytes of an element of one of the sixteen types of the promotion tables, which are all whole bytes.
pub fn size_of_dtype(dtype: DType) -> usize {
    dtype.bits().div_ceil(8)
}

/// A line of the caches, aligned for all types.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line([u8; Line::SIZE]);

impl Line {
    /// In bytes.
    pub(crate) const SIZE: usize = 64;

    pub(crate) const ZERO: Self = Self([0; Self::SIZE]);
}

/// A buffer for some elements of any type, aligned for all types.
#[repr(align(64))]
pub struct Block([u8; Block::SIZE]);

impl Block {
    /// In bytes.
    pub const SIZE: usize = 4096;

    pub fn new() -> Self {
        Self([0; Self::SIZE])
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// As many copies of `element` as fit.
    pub fn filled_with(element: &[u8]) -> Self {
        let mut block = Self::new();
        for place in block.0.chunks_exact_mut(element.len().max(1)) {
            place.copy_from_slice(element);
        }
        block
    }
}

/// The buffers that a body needs for one block; they are made once for many blocks.
pub struct Scratch {
    pub first: Room,
    pub second: Room,
    /// For the third operand and those after it, made when they are needed.
    pub others: Vec<Room>,
    pub scaled: Room,
    pub combined: Room,
    /// The next element of a sequence in which each element is computed from the previous one.
    pub accumulated: f64,
    /// Why an element that was computed on this thread has no result.
    pub failed: Option<&'static str>,
}

/// The buffers for one chain of conversions: the input, the values in between, and the output.
pub struct Room {
    pub from: Block,
    pub between: Block,
    pub to: Block,
}

impl Scratch {
    pub fn new() -> Self {
        let [first, second, scaled, combined] = std::array::from_fn(|_| Room::new());
        Self { first, second, others: Vec::new(), scaled, combined, accumulated: 0.0, failed: None }
    }
}

impl Room {
    pub fn new() -> Self {
        Self { from: Block::new(), between: Block::new(), to: Block::new() }
    }
}

/// One conversion of a block.
#[derive(Clone, Copy)]
pub struct Conversion {
    pub convert: Converter,
    /// Bytes of an element of the result.
    pub size: usize,
}

/// The conversions between the types of a chain, at most two.
#[derive(Clone, Copy)]
pub struct Conversions {
    steps: [Conversion; 2],
    count: usize,
}

impl Default for Conversions {
    fn default() -> Self {
        Self { steps: [Conversion { convert: |_, _| (), size: 0 }; 2], count: 0 }
    }
}

/// Returns the conversion of Cast between two types; `None` if there is none. Callers do not compile the loops
/// again, as they do those that they get from the crate of the types.
pub fn converter(from: DType, to: DType) -> Option<Converter> {
    cann::converter(from, to)
}

impl Conversions {
    /// Converts through the types of `chain` one after the other, without a step between equal types. `None` when CANN has
    /// no conversion for a step.
    pub fn through(product: Product, chain: &[DType]) -> Option<Self> {
        let mut conversions = Self::default();
        for pair in chain.windows(2) {
            if pair[0] != pair[1] {
                let (from, to) = (pair[0], pair[1]);
                // Cast converts c32 from and to few types, and makes it on the 950 only.
                let lacks_kernel = pair.contains(&DType::C32) && !cann::has_cast(from, to);
                if lacks_kernel || to == DType::C32 && product != Product::Ascend950 {
                    return None;
                }
                conversions.push(product, from, to)?;
            }
        }
        Some(conversions)
    }

    /// Adds the conversion from one type to another; `None` if there is none, or no place for it.
    fn push(&mut self, product: Product, from: DType, to: DType) -> Option<()> {
        let convert = cann::converter_on(product, from, to)?;
        *self.steps.get_mut(self.count)? = Conversion { convert, size: size_of_dtype(to) };
        self.count += 1;
        Some(())
    }

    /// From one type to another as Cast does it. From bool to bool too, where every true byte becomes 1.
    pub fn cast(product: Product, from: DType, to: DType) -> Option<Self> {
        let mut conversions = Self::default();
        if from != to || from == DType::Bool {
            conversions.push(product, from, to)?;
        }
        Some(conversions)
    }

    pub fn steps(&self) -> &[Conversion] {
        self.steps.get(..self.count).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the widest element among the results.
    pub fn widest(&self) -> usize {
        self.steps().iter().map(|step| step.size).max().unwrap_or(0)
    }

    /// Converts `count` elements of `from` into `to`, however many they are, in pieces of at most a block.
    pub fn apply_all(&self, count: usize, from: &[u8], to: &mut [u8], between: &mut Block) {
        let (from_size, to_size) = (from.len() / count.max(1), to.len() / count.max(1));
        let step = Block::SIZE / self.widest().max(1);
        let pieces = from.chunks(step * from_size.max(1)).zip(to.chunks_mut(step * to_size.max(1)));
        for (from, to) in pieces {
            self.apply(from.len() / from_size.max(1), from, to, between);
        }
    }

    /// Converts `count` elements of `from` into `to`; `between` is a buffer for the values in between.
    pub fn apply(&self, count: usize, from: &[u8], to: &mut [u8], between: &mut Block) {
        match self.steps() {
            [] => to.copy_from_slice(&from[..to.len()]),
            [only] => (only.convert)(from, to),
            [first, rest @ ..] => {
                let middle = &mut between.bytes_mut()[..count * first.size];
                (first.convert)(from, middle);
                for last in rest {
                    (last.convert)(middle, to);
                }
            }
        }
    }
}
