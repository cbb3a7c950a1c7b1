//! [`Memory`]: where a kernel finds the bytes of its operands.

use crate::views::failure::Failure;

/// The memory in which the operands of a launch lie. What the kernel needs is found before it computes; then the value is
/// dropped, with the locks that it may hold.
pub trait Memory {
    /// Why there is no memory at an address.
    type Failure: From<Failure>;

    /// Returns how far behind an address its byte is for the host, if that is the same for all operands, all of which are
    /// known to be there.
    fn distance(&self) -> Option<isize>;

    /// Finds the bytes from an address on.
    ///
    /// # Errors
    /// Where there is no memory, or less.
    fn bytes(&mut self, address: usize, len: usize) -> Result<*mut u8, Self::Failure>;
}
