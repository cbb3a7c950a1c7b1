//! A safe call compared with the raw C calls that it makes or saves: fixed cost, and heap allocations.
//!
//! `cargo bench --bench call`. Every figure is the best of several runs, and both times of a ratio are from one run.
//! The embedded emulator allocates in this process too; `ACLNN_BACKEND=<toolkit>/lib64` counts only the allocations of
//! this crate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::time::Instant;

use aclnn::sys::{ACL_FLOAT, ACL_FORMAT_ND, aclOpExecutor, aclScalar, aclTensor, aclrtStream};
use aclnn::{DType, Device, Result, Tensor, ops};

struct Counting;

thread_local!(static ALLOCATIONS: Cell<u64> = const { Cell::new(0) });

// SAFETY: the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of calls between two synchronisations.
const BATCH: usize = 256;
const ELEMENTS: usize = 16;

/// The C functions as a careful program would call them.
struct Raw<'a> {
    device: &'a Device,
    stream: aclrtStream,
    tensors: [&'a Tensor; 3],
}

impl Raw<'_> {
    fn tensor(&self, tensor: &Tensor) -> *mut aclTensor {
        let (dims, strides) = ([ELEMENTS as i64], [1]);
        let meta = self.device.backend().meta();
        // SAFETY: arrays of one element, and memory of a tensor of that size.
        let raw = unsafe {
            meta.aclCreateTensor(
                dims.as_ptr(),
                1,
                ACL_FLOAT,
                strides.as_ptr(),
                0,
                ACL_FORMAT_ND,
                dims.as_ptr(),
                1,
                tensor.as_raw(),
            )
        };
        raw.unwrap_or(std::ptr::null_mut())
    }

    /// Makes descriptors and runs phase one.
    fn plan(&self) -> Result<([*mut aclTensor; 3], *mut aclScalar, *mut aclOpExecutor)> {
        let backend = self.device.backend();
        let tensors = self.tensors.map(|tensor| self.tensor(tensor));
        let [a, b, out] = tensors;
        let mut one = 1f32;
        let (mut size, mut executor) = (0, std::ptr::null_mut());
        // SAFETY: live descriptors and valid places; the context was made current by the caller.
        unsafe {
            let alpha = backend.meta().aclCreateScalar((&raw mut one).cast(), ACL_FLOAT)?;
            let add = backend.operators().Add()?;
            assert_eq!(add.get_workspace_size(a, b, alpha, out, &mut size, &mut executor), 0);
            assert_eq!(size, 0);
            Ok((tensors, alpha, executor))
        }
    }

    fn destroy(&self, tensors: [*mut aclTensor; 3], alpha: *mut aclScalar) -> Result<()> {
        let meta = self.device.backend().meta();
        for tensor in tensors {
            // SAFETY: made by `plan`.
            assert_eq!(unsafe { meta.aclDestroyTensor(tensor)? }, 0);
        }
        // SAFETY: as above.
        assert_eq!(unsafe { meta.aclDestroyScalar(alpha)? }, 0);
        Ok(())
    }

    fn launch(&self, executor: *mut aclOpExecutor) -> Result<()> {
        // SAFETY: an executor of Add without workspace.
        let code = unsafe {
            self.device.backend().operators().Add()?.launch(std::ptr::null_mut(), 0, executor, self.stream)
        };
        assert_eq!(code, 0);
        Ok(())
    }

    /// Runs both phases, with descriptors of their own.
    fn both_phases(&self) -> Result<()> {
        let (tensors, alpha, executor) = self.plan()?;
        self.launch(executor)?;
        self.destroy(tensors, alpha)
    }

    /// Launches an executor again with other addresses.
    fn again(&self, executor: *mut aclOpExecutor, tensors: [*mut aclTensor; 3]) -> Result<()> {
        let meta = self.device.backend().meta();
        for (index, (tensor, memory)) in tensors.into_iter().zip(self.tensors).enumerate() {
            let address: *mut c_void = memory.as_raw();
            // SAFETY: a repeatable executor that no launch uses, one of its tensors, memory of the same size.
            assert_eq!(unsafe { meta.aclSetTensorAddr(executor, index, tensor, address)? }, 0);
        }
        self.launch(executor)
    }
}

fn main() -> Result<()> {
    let device = Device::open(0)?;
    println!("backend: {}\n", device.backend());
    let ones = |dtype| Tensor::ones(&device, [ELEMENTS], dtype);
    let (a, b, h) = (ones(DType::F32)?, ones(DType::F32)?, ones(DType::F16)?);
    let mut out = ones(DType::F32)?;
    let target = out.clone();
    device.synchronize()?;

    let raw = Raw { device: &device, stream: device.stream().as_raw(), tensors: [&a, &b, &target] };
    println!("Add f32[{ELEMENTS}]{:<34} {:>9} {:>9} {:>12}", "", "ns", "× raw", "allocations");
    let row = |name: &str, (time, allocations): (f64, f64), base: Option<f64>| {
        let ratio = base.map_or(String::new(), |base| format!("{:.2}", time / base));
        println!("{name:<45} {time:>9.0} {ratio:>9} {allocations:>12.1}");
        time
    };
    // Planned first: the library makes no executor repeatable that it has planned and launched before.
    let (tensors, alpha, executor) = raw.plan()?;
    // SAFETY: fresh from phase one.
    assert_eq!(unsafe { device.backend().meta().aclSetAclOpExecutorRepeatable(executor)? }, 0);
    let base = row("raw: descriptors, both phases", measure(&device, || raw.both_phases())?, None);
    let again = measure(&device, || raw.again(executor, tensors))?;
    row("raw: repeated executor, new addresses", again, Some(base));
    // SAFETY: no launch uses it.
    assert_eq!(unsafe { device.backend().meta().aclDestroyAclOpExecutor(executor)? }, 0);
    raw.destroy(tensors, alpha)?;

    row(
        "safe: ops::add(&a, &b).run_into(&mut out)",
        measure(&device, || ops::add(&a, &b).run_into(&mut out))?,
        Some(base),
    );
    row("safe: a.add_in_place(&b)", measure(&device, || out.add_in_place(&b))?, Some(base));
    row("safe: a.add(&b), with a new tensor", measure(&device, || a.add(&b).map(drop))?, Some(base));
    row(
        "safe: the same, from f16 and f32: two launches",
        measure(&device, || h.add(&b).map(drop))?,
        Some(base),
    );
    Ok(())
}

/// Returns the nanoseconds and allocations of a call, in the steady state.
fn measure(device: &Device, mut call: impl FnMut() -> Result<()>) -> Result<(f64, f64)> {
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..40 {
        let (start, before) = (Instant::now(), ALLOCATIONS.get());
        for _ in 0..BATCH {
            call()?;
        }
        let allocations = (ALLOCATIONS.get() - before) as f64 / BATCH as f64;
        let time = start.elapsed().as_nanos() as f64 / BATCH as f64;
        device.synchronize()?;
        best = (best.0.min(time), best.1.min(allocations));
    }
    Ok(best)
}
