//! Bytes of its operands that a kernel reads and writes.

use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::{Kernel, View};
use smallvec::SmallVec;

use crate::check;
use crate::check::tracker::{Access, Carried, Purpose};
use crate::meta::plan::PlannedTensor;
use crate::misuse::{Check, Level};
use crate::runtime::memory::Lookup;
use crate::status::{Result, Status};

/// Checks that every view lies in device memory that `device` reaches when its storage begins at the address given for it.
pub(super) fn must_lie_in_memory<'a>(
    kernel: &Kernel,
    device: i32,
    addresses: &[usize],
    names: impl Iterator<Item = &'a str>,
) -> Result {
    let mut lookup = Lookup::of(device);
    for ((view, &address), name) in kernel.views().iter().zip(addresses).zip(names) {
        if let Some((low, bytes)) = view.reach_at(address) {
            lookup.device_bytes(low, bytes).map_err(|status| {
                let message = format!("{name}: {}", status.message);
                status.with_message(message)
            })?;
            must_be_aligned(view, name, address)?;
        } else if view.bytes() > 0 {
            let message = format!("{name}: the address {address:#x} is no memory");
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
        }
    }
    Ok(())
}

/// Refuses a storage that begins at no multiple of the bytes of an element. A device is documented to ask for more, 32 bytes,
/// of which programs that work make no use.
fn must_be_aligned(view: &View, name: &str, address: usize) -> Result {
    // The largest number has 8 bytes.
    let size = view.size().clamp(1, 8);
    if address.is_multiple_of(size) || check::level() == Level::Off {
        return Ok(());
    }
    let message = format!(
        "{name}: the storage begins at {address:#x}, which is not a multiple of the {size} bytes of an element; CANN asks \
         for a multiple of 32"
    );
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message).of(Check::Misaligned))
}

/// The elements that copies of a kernel move when the storages of its tensors begin at `addresses`.
pub(super) fn carried<'a>(kernel: &'a Kernel, addresses: &[usize]) -> SmallVec<[Carried<'a>; 1]> {
    let carried = kernel.copied().iter().filter_map(|copied| {
        let (input, output) = (kernel.views().get(copied.from)?, kernel.views().get(copied.to)?);
        Some(Carried {
            walk: &copied.walk,
            from: input.first_at(*addresses.get(copied.from)?),
            to: output.first_at(*addresses.get(copied.to)?),
            sizes: (input.size(), output.size()),
            accesses: (copied.from, copied.to),
        })
    });
    carried.collect()
}

/// The bytes that a launch touches; nothing while nothing is tracked.
pub(super) fn accesses(
    kernel: &Kernel,
    addresses: &[usize],
    tensors: &[PlannedTensor],
) -> SmallVec<[Access; 4]> {
    let mut accesses = SmallVec::new();
    if !check::is_tracking() {
        return accesses;
    }
    let views = kernel.views();
    let inputs = views.len().saturating_sub(kernel.outputs());
    // Whether a view is copied; empty if none is.
    let mut copied = vec![false; if kernel.copied().is_empty() { 0 } else { views.len() }];
    for view in kernel.copied().iter().flat_map(|copied| [copied.from, copied.to]) {
        copied[view] = true;
    }
    for (index, ((view, &address), tensor)) in views.iter().zip(addresses).zip(tensors).enumerate() {
        let span = view.span_at(address);
        if span.is_empty() {
            continue;
        }
        let (writing, reading) = match copied.get(index) {
            Some(true) => (Purpose::Receive, Purpose::Carry),
            _ if tensor.looked_up => (Purpose::Write, Purpose::LookUp),
            _ => (Purpose::Write, Purpose::Read),
        };
        let (span, purpose) = if index >= inputs {
            (span.shortened(kernel.written(view).saturating_mul(view.size())), writing)
        } else {
            (span, reading)
        };
        accesses.push(Access { name: tensor.name, span, purpose });
    }
    accesses
}
