//! The state of random numbers: a seed and an offset, which are counted on the host.

/// The source of random numbers: a seed, and an offset that moves on with every draw.
///
/// Functions that draw take a generator by `&mut`. The numbers of a call follow from the seed, the offset, and the shape and
/// type of the result alone; the call then moves the offset past all numbers that it may have used, so that no two calls of
/// one generator share any. A call that is refused leaves the generator as it was. Nothing is kept on the device: a generator
/// is 16 bytes of plain data, which a framework can clone, store in a checkpoint, and restore by [`Generator::new`] and
/// [`Generator::with_offset`].
///
/// ```
/// use aclnn::{DType, Device, Generator, Tensor};
///
/// let device = Device::open(0)?;
/// let mut generator = Generator::new(42);
/// let start = generator.clone();
/// let first = Tensor::rand(&device, [2, 3], DType::F32, &mut generator)?.to_vec::<f32>()?;
/// let second = Tensor::rand(&device, [2, 3], DType::F32, &mut generator)?.to_vec::<f32>()?;
/// assert_ne!(first, second);
///
/// let mut again = Generator::new(42).with_offset(start.offset());
/// assert_eq!(Tensor::rand(&device, [2, 3], DType::F32, &mut again)?.to_vec::<f32>()?, first);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Which numbers
///
/// The same ones whenever a program runs on the same kind of device with the same release of CANN. CANN describes for the 950
/// alone how numbers follow from seed and offset; the emulator does that for every product, with Philox 4×32-10, whatever
/// the layout of a tensor and the number of threads. So the numbers of an NPU have the same distribution, and may be others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Generator {
    seed: u64,
    offset: u64,
}

/// Words of 32 bits that no operator exceeds for an element.
const WORDS: u64 = 4;

impl Generator {
    /// Creates a generator that has drawn nothing yet.
    pub const fn new(seed: u64) -> Self {
        Self { seed, offset: 0 }
    }

    /// Sets the offset, to go on where another generator of the same seed was.
    pub const fn with_offset(mut self, offset: u64) -> Self {
        self.offset = offset;
        self
    }

    /// Returns the seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the offset of the next numbers.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Reserves the numbers for so many elements, and returns the offset at which they begin. The functions of this crate do
    /// this themselves; it serves operators that are called by other means, such as [`operator!`](crate::operator).
    ///
    /// ```
    /// use aclnn::Generator;
    ///
    /// let mut generator = Generator::new(7);
    /// assert_eq!(generator.reserve(100), 0);
    /// assert_eq!(generator.offset(), 400);
    /// ```
    pub const fn reserve(&mut self, elements: usize) -> u64 {
        let first = self.offset;
        self.offset = first.wrapping_add((elements as u64).saturating_mul(WORDS));
        first
    }
}
