//! Arguments of a fused loop, and its call.

use crate::functions::arithmetic::{Binary, Operation};
use crate::functions::halves::{Halves, Short};
use crate::views::runs::Plane;

/// A loop that does everything at once.
#[derive(Clone, Copy)]
pub enum Fused {
    Plane(Planar),
    /// Over blocks that are aligned.
    Row(Binary),
    /// A function of operands of one type of 16 bits and of numbers of f32.
    Halves(Halves),
}

impl Fused {
    /// Combines the elements of two blocks into a third. A block of a single element is repeated.
    pub fn block(self, a: &[u8], b: &[u8], out: &mut [u8]) {
        match self {
            Self::Plane(planar) => planar.block(a, b, out),
            Self::Row(combine) => combine(a, b, out),
            Self::Halves(combine) => combine(&[Short::Halves(a), Short::Halves(b)], out),
        }
    }
}

/// A loop over planes of elements of any alignment.
#[derive(Clone, Copy)]
pub struct Planar {
    pub(super) run: Run,
    pub(super) operation: Operation,
    /// Bytes of an element of the operands and of the result.
    pub(super) sizes: [usize; 3],
}

/// Combines a pair row by row.
///
/// # Safety
/// The elements may be read and written, those of the result are none of the operands, and this processor has the
/// instructions.
pub(super) type Run = unsafe fn(&Pair, Operation);

/// Two operands and their result.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "other processors have no loop for it")
)]
pub struct Pair {
    /// In rows, each of neighbours, of every other element, or of one element that is repeated.
    pub operands: [Plane<*const u8>; 2],
    /// In rows of neighbours.
    pub out: Plane<*mut u8>,
    /// Rows and columns.
    pub counts: [usize; 2],
    /// Whether the result is written past the caches; `past_caches::fence` must follow.
    pub streams: bool,
}

impl Planar {
    /// # Safety
    /// All elements of the operands may be read, those of the result written, and none of it is one of an operand.
    pub(crate) unsafe fn run(self, pair: &Pair) {
        // SAFETY: by the contract; who made this value has looked for the instructions.
        unsafe { (self.run)(pair, self.operation) }
    }

    pub(super) fn block(self, a: &[u8], b: &[u8], out: &mut [u8]) {
        let [size_a, size_b, size] = self.sizes;
        let operand = |block: &[u8], size: usize| {
            let (held, first) = (block.len() / size, block.as_ptr());
            let (across, most) = if held == 1 { (0, usize::MAX) } else { (1, held) };
            (Plane { first, down: 0, across }, most)
        };
        let ((a, most_a), (b, most_b)) = (operand(a, size_a), operand(b, size_b));
        let columns = (out.len() / size).min(most_a).min(most_b);
        let out = Plane { first: out.as_mut_ptr(), down: 0, across: 1 };
        // SAFETY: the blocks hold so many elements.
        unsafe { self.run(&Pair { operands: [a, b], out, counts: [1, columns], streams: false }) }
    }
}
