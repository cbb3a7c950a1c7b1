//! Work as the rooms above hand it to the tracker: plain values that say which bytes it touches.

use aclnn_numerics::layout::Walk;
use cann_kernels::Span;

/// Bytes that a piece of work touches.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    /// The parameter, for messages.
    pub(crate) name: &'static str,
    pub(crate) span: Span,
    pub(crate) purpose: Purpose,
}

/// What is done with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The work computes with the bytes: each must hold a value.
    Read,
    /// The work computes with some of the bytes, which other operands choose: all but these may be unwritten, but not all.
    LookUp,
    /// The work copies the bytes to the host, or to other ranks: some may be unwritten, as gaps and padding are; if all are, it is reported.
    Fetch,
    /// The work copies the bytes to other device memory, which then holds values exactly where these bytes do.
    Carry,
    Write,
    /// A copy from device memory writes the bytes.
    Receive,
    /// The bytes belong to the work until it is done, as a workspace does.
    Workspace,
    /// The work polls the bytes until another thread or stream writes a value there; no order is needed.
    Watch,
}

impl Purpose {
    pub(super) fn writes(self) -> bool {
        matches!(self, Purpose::Write | Purpose::Receive | Purpose::Workspace)
    }
}

/// A piece of work as it is submitted.
pub(crate) struct Work<'a> {
    /// The C function.
    pub(crate) function: &'static str,
    /// The code that a refusal returns.
    pub(crate) code: i32,
    pub(crate) accesses: &'a [Access],
    pub(crate) carried: &'a [Carried<'a>],
}

/// A copy of elements between places on devices. Each element is copied as a whole; bytes are elements of size 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carried<'a> {
    /// The walk over the source, then over the target.
    pub(crate) walk: &'a Walk<2>,
    /// Addresses of the first elements.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Bytes of an element on either side, not 0; a conversion changes them.
    pub(crate) sizes: (usize, usize),
    /// The numbers of both among the accesses.
    pub(crate) accesses: (usize, usize),
}

impl Carried<'_> {
    /// Calls `visit` with the address of a run of elements in the source, the one in the target, and their number. The
    /// elements of a run follow each other on both sides.
    pub(super) fn each_run(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let (from_size, to_size) = self.sizes;
        let at = |start: usize, element: isize, size: usize| {
            start.wrapping_add_signed(element.wrapping_mul(size.cast_signed()))
        };
        let [from_stride, to_stride] = self.walk.inner_strides();
        let is_dense = self.walk.inner_len() == 1 || (from_stride, to_stride) == (1, 1);
        self.walk.for_each_run(|[mut source, mut target], len| {
            let (count, repeats) = if is_dense { (len, 1) } else { (1, len) };
            for _ in 0..repeats {
                visit(at(self.from, source, from_size), at(self.to, target, to_size), count);
                source = source.wrapping_add(from_stride);
                target = target.wrapping_add(to_stride);
            }
        });
    }
}
