//! Tensors from the pool compared with calls of `aclrtMalloc` and `aclrtFree`: the ratio of their times, for memory alone
//! and for sums of floats with a result that is allocated and freed each time.
//!
//! `cargo bench --bench memory`. Every figure is the best of several runs, and both times of a ratio are from one run.

use std::ffi::c_void;
use std::time::Instant;

use aclnn::{DType, Device, Result, Tensor, sys};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

fn main() -> Result<()> {
    let device = Device::open(0)?;
    println!("backend: {}\n", device.backend());
    println!("{:<28} {:>12} {:>12} {:>12}", "", "pool ns", "device ns", "device/pool");
    for bytes in [1, KIB, 64 * KIB, MIB, 16 * MIB, 256 * MIB] {
        row(&device, &size(bytes), &[bytes], 1)?;
    }
    for held in [10, 100, 1000] {
        row(&device, &format!("1 B .. 4 MiB, {held} held"), &mixed(held * 20), held)?;
    }
    println!("\n{:<28} {:>12} {:>12} {:>12}", "allocate, add, free", "pool µs", "device µs", "device/pool");
    for bytes in [4 * KIB, MIB, 64 * MIB] {
        sum(&device, bytes)?;
    }
    println!("\n{}", device.memory_statistics());
    Ok(())
}

/// Times a workload of allocation sizes, of which `held` allocations are live at a time.
fn row(device: &Device, name: &str, sizes: &[usize], held: usize) -> Result<()> {
    let rounds = 2000_usize.div_ceil(sizes.len());
    let each = |time: f64| time / (rounds * sizes.len()) as f64;
    let pool = each(best(rounds, sizes, held, |bytes| Tensor::empty(device, [bytes], DType::U8))?);
    let raw = each(best(rounds, sizes, held, |bytes| Ok(Raw::new(device, bytes)))?);
    println!("{name:<28} {pool:>12.0} {raw:>12.0} {:>12.1}", raw / pool);
    Ok(())
}

/// Returns the nanoseconds of the fastest of some runs.
fn best<T>(
    rounds: usize,
    sizes: &[usize],
    held: usize,
    allocate: impl Fn(usize) -> Result<T>,
) -> Result<f64> {
    let mut live: Vec<Option<T>> = (0..held).map(|_| None).collect();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        for _ in 0..rounds {
            for (index, &bytes) in sizes.iter().enumerate() {
                let place = &mut live[index % held];
                // Freed first, as in a program that holds no more memory than it needs.
                *place = None;
                *place = Some(allocate(bytes)?);
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64);
    }
    Ok(best)
}

/// Times sums of two operands of `bytes`, each with a new result and a wait for it: `&a + &b`, and the C functions.
fn sum(device: &Device, bytes: usize) -> Result<()> {
    let ones = || Tensor::ones(device, [bytes / 4], DType::F32);
    let (a, b) = (ones()?, ones()?);
    let rounds = (256 * MIB / bytes).clamp(20, 2000);
    let pool = best(rounds, &[bytes], 1, |_| {
        let out = (&a + &b)?;
        device.synchronize()?;
        Ok(out)
    })?;
    let raw = best(rounds, &[bytes], 1, |bytes| {
        let out = Raw::new(device, bytes);
        out.add(&a, &b)?;
        Ok(out)
    })?;
    let each = |time: f64| time / rounds as f64 / 1e3;
    println!("{:<28} {:>12.2} {:>12.2} {:>12.2}", size(bytes), each(pool), each(raw), raw / pool);
    Ok(())
}

/// Returns sizes from 1 byte to 4 MiB, each power of two equally often.
fn mixed(count: usize) -> Vec<usize> {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..count)
        .map(|_| {
            let power = 1 << next(22);
            (power + next(power)) as usize
        })
        .collect()
}

fn size(bytes: usize) -> String {
    match bytes {
        MIB.. => format!("{} MiB", bytes / MIB),
        KIB.. => format!("{} KiB", bytes / KIB),
        _ => format!("{bytes} B"),
    }
}

/// Memory from a separate call of `aclrtMalloc`.
struct Raw<'a> {
    device: &'a Device,
    address: *mut c_void,
}

impl<'a> Raw<'a> {
    fn new(device: &'a Device, bytes: usize) -> Self {
        let mut address = std::ptr::null_mut();
        // SAFETY: a valid place; the device's context is current, as the thread has opened it.
        let code = unsafe {
            device.backend().runtime().aclrtMalloc(&mut address, bytes, sys::ACL_MEM_MALLOC_HUGE_FIRST)
        };
        assert_eq!(code, Ok(0));
        Self { device, address }
    }

    /// Writes the sum of two tensors of floats, and waits for it.
    fn add(&self, a: &Tensor, b: &Tensor) -> Result<()> {
        let (backend, null) = (self.device.backend(), std::ptr::null_mut());
        let (meta, dims, mut one) = (backend.meta(), [a.numel() as i64], 1_f32);
        // SAFETY: every array has one element, memory has the size of its tensor, places are valid, and null is the
        // default stream of the context, which is current on this thread.
        unsafe {
            let describe = |memory| {
                let (dims, dtype, format) = (dims.as_ptr(), sys::ACL_FLOAT, sys::ACL_FORMAT_ND);
                meta.aclCreateTensor(dims, 1, dtype, [1].as_ptr(), 0, format, dims, 1, memory)
            };
            let tensors = [describe(a.as_raw())?, describe(b.as_raw())?, describe(self.address)?];
            let alpha = meta.aclCreateScalar((&raw mut one).cast(), sys::ACL_FLOAT)?;
            let (add, mut size, mut executor) = (backend.operators().Add()?, 0, std::ptr::null_mut());
            let [a, b, out] = tensors;
            assert_eq!((add.get_workspace_size(a, b, alpha, out, &mut size, &mut executor), size), (0, 0));
            assert_eq!(add.launch(null, 0, executor, null), 0);
            for tensor in tensors {
                assert_eq!(meta.aclDestroyTensor(tensor)?, 0);
            }
            assert_eq!(meta.aclDestroyScalar(alpha)?, 0);
            assert_eq!(backend.runtime().aclrtSynchronizeStream(null)?, 0);
        }
        Ok(())
    }
}

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated above, and nothing uses it.
        let code = unsafe { self.device.backend().runtime().aclrtFree(self.address) };
        assert_eq!(code, Ok(0));
    }
}
