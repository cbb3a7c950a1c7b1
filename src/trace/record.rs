//! Lists of the operators that a thread launches.

use std::cell::{Cell, RefCell};

use crate::error::{CallInfo, Operands};

thread_local! {
    /// How many recordings run on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static CALLS: RefCell<Vec<CallInfo>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work`, and lists the operators that it launches on this thread, in their order: inserted Casts and the operators
/// that a composed function is made of, too.
///
/// A recording inside another one is part of both. While a thread records, its calls take longer.
///
/// ```
/// use aclnn::{Device, Tensor, f16};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[f16::ONE; 6], [2, 3])?;
/// let b = Tensor::from_slice(&device, &[0.5f32, 1.5, 2.5], [3])?;
/// let (sum, calls) = aclnn::record_calls(|| a.add(&b));
/// let names: Vec<&str> = calls.iter().map(|call| call.operator).collect();
/// assert_eq!(names, ["aclnnCast", "aclnnAdd"]);
/// assert_eq!(calls[1].operands[0].to_string(), "self f32[2, 3]");
/// # let _ = sum?;
/// # Ok::<(), aclnn::Error>(())
/// ```
pub fn record_calls<T>(work: impl FnOnce() -> T) -> (T, Vec<CallInfo>) {
    /// Ends the recording, if `work` panics too.
    struct Recording(usize);

    impl Drop for Recording {
        fn drop(&mut self) {
            DEPTH.set(self.0);
            if self.0 == 0 {
                CALLS.take();
            }
        }
    }

    let first = CALLS.with_borrow(Vec::len);
    let outer = DEPTH.get();
    let recording = Recording(outer);
    DEPTH.set(outer + 1);
    let result = work();
    let calls = CALLS.with_borrow(|calls| calls.get(first..).unwrap_or_default().to_vec());
    drop(recording);
    (result, calls)
}

/// Returns whether this thread records.
#[inline]
pub(crate) fn is_recording() -> bool {
    DEPTH.get() > 0
}

/// Adds a launch to the recordings of this thread.
pub(crate) fn record(operator: &'static str, operands: Operands) {
    CALLS.with_borrow_mut(|calls| calls.push(CallInfo { operator, operands }));
}
