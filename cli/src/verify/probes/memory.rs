//! How memory lies, and what a reduction counts.

use aclnn::{DType, sys};
use anyhow::{Context as _, Result};

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, good};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "alignment-of-device-memory",
        "At multiples of how many bytes does device memory begin?",
        "64 is documented; the runtime asks the driver for 512.",
        alignment,
    ),
    Probe::new(
        "cost-of-a-small-allocation",
        "How much memory does one small allocation take?",
        "Its bytes and 32 more, rounded up to 512.",
        cost_of_a_small_allocation,
    ),
    Probe::new(
        "count-of-a-reduction",
        "Does the count of aclrtReduceAsync mean bytes or elements?",
        "Bytes.",
        count_of_a_reduction,
    ),
];

fn alignment(setting: &Setting) -> Result<Answer> {
    let mut held = Vec::new();
    let (mut device, mut host) = (usize::BITS, usize::BITS);
    for size in (0..64).map(|power| (1_usize << (power % 16)) + power) {
        let (memory, pinned) = (setting.memory(size)?, setting.pinned(size)?);
        device = device.min(memory.handle.addr().trailing_zeros());
        host = host.min(pinned.handle.addr().trailing_zeros());
        held.push((memory, pinned));
    }
    let text =
        format!("device memory at multiples of {}, pinned memory of {}", 1_u64 << device, 1_u64 << host);
    Ok(Answer::as_assumed(1_u64 << device >= 512, text))
}

fn cost_of_a_small_allocation(setting: &Setting) -> Result<Answer> {
    const COUNT: usize = 4096;
    let before = setting.free_bytes()?;
    let held = (0..COUNT).map(|_| setting.memory(1)).collect::<Result<Vec<_>>>()?;
    let each = before.saturating_sub(setting.free_bytes()?) as f64 / COUNT as f64;
    drop(held);
    Ok(Answer::as_assumed(each <= 512.0, format!("an allocation of one byte takes {each} bytes")))
}

fn count_of_a_reduction(setting: &Setting) -> Result<Answer> {
    const COUNT: usize = 64;
    let (to, from) = (setting.filled(&[1_f32; COUNT])?, setting.filled(&[10_f32; COUNT])?);
    let dtype = sys::aclDataType(DType::F32.acl_code().context("CANN has no such type")?);
    let kind = sys::ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
    let (stream, nothing) = (setting.stream()?, std::ptr::null_mut());
    good!(setting, aclrtReduceAsync(to.handle, from.handle, 16, kind, dtype, stream.handle, nothing));
    good!(setting, aclrtSynchronizeStream(stream.handle));
    let found = setting.download::<f32>(to.handle, COUNT)?;
    let summed = found.iter().filter(|value| **value == 11.0).count();
    let text = format!("a count of 16 added {summed} elements of 4 bytes");
    Ok(Answer::as_assumed(summed == 4, text))
}
