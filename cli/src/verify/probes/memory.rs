//! Probes of memory: its layout, bytes written behind a result, and the count of a reduction.

use aclnn::{DType, sys};
use anyhow::{Context as _, Result};

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, good, plan};

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
    Probe::new(
        "bytes-behind-a-result",
        "Does an operator write behind the last element of its result, where aclrtMalloc leaves room?",
        "No.",
        bytes_behind_a_result,
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

fn bytes_behind_a_result(setting: &Setting) -> Result<Answer> {
    const ROOM: usize = 512;
    const PATTERN: u8 = 0xa5;
    let (input, output) = (setting.filled(&[0_u8; ROOM])?, setting.memory(ROOM)?);
    let (mut most, mut worst) = (0, None);
    for dtype in [DType::F32, DType::F16, DType::I8] {
        for count in 1..=64 {
            let own = setting.tensor(dtype, &[count], input.handle)?;
            let out = setting.tensor(dtype, &[count], output.handle)?;
            setting.upload(output.handle, &[PATTERN; ROOM])?;
            setting.finish(&plan!(setting, Neg(own.handle, out.handle)))?;
            let end = dtype.storage_bytes(count as usize).unwrap_or(ROOM);
            let found = setting.download::<u8>(output.handle, ROOM)?;
            let changed =
                found.iter().skip(end).rposition(|byte| *byte != PATTERN).map_or(0, |last| last + 1);
            if changed > most {
                (most, worst) = (changed, Some(format!("{count} of {dtype}")));
            }
        }
    }
    let text = match worst {
        None => "no byte changed behind 1 to 64 elements".to_owned(),
        Some(worst) => format!("up to {most} bytes changed, behind {worst}"),
    };
    Ok(Answer::as_assumed(most == 0, text))
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
