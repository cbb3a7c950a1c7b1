//! The fixed cost of a call: through C and through the safe layer, with and without waiting for it, among many live
//! tensors, on many streams, and with the checks of the emulator on and off; and the heap allocations.
//!
//! `cargo bench --bench call`, with a part of a title or name to choose rows. Every figure is the best of several samples,
//! and the samples of a table alternate. Where the backtraces of the environment are on (`RUST_BACKTRACE`), the emulator
//! takes one for each descriptor.
//!
//! The embedded emulator allocates in this process too; `ACLNN_BACKEND=<toolkit>/lib64` counts only the allocations of
//! this crate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::time::Instant;

use aclnn::sys::{
    ACL_FLOAT, ACL_FORMAT_ND, ACL_MEM_MALLOC_HUGE_FIRST, aclOpExecutor, aclScalar, aclTensor, aclrtStream,
};
use aclnn::{DType, Device, Result, Stream, Tensor, ops};
use cann_stubs::control::{self, Level};

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

/// The calls of one sample.
const BATCH: usize = 256;

/// The C functions as a careful program would call them, for a sum of two tensors.
struct Raw<'a> {
    device: &'a Device,
    stream: aclrtStream,
    tensors: [&'a Tensor; 3],
}

/// A repeatable executor and its descriptors.
struct Kept {
    tensors: [*mut aclTensor; 3],
    alpha: *mut aclScalar,
    executor: *mut aclOpExecutor,
}

impl<'a> Raw<'a> {
    fn new(stream: &'a Stream, tensors: [&'a Tensor; 3]) -> Self {
        Raw { device: stream.device(), stream: stream.as_raw(), tensors }
    }

    fn tensor(&self, tensor: &Tensor) -> *mut aclTensor {
        let (dims, strides) = ([tensor.numel() as i64], [1]);
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
    fn plan(&self) -> Result<Kept> {
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
            Ok(Kept { tensors, alpha, executor })
        }
    }

    /// Plans an executor that launches do not consume. The library makes none repeatable that it has planned and launched
    /// before on this thread.
    fn repeatable(&self) -> Result<Kept> {
        let _cache = control::executor_cache(0);
        let kept = self.plan()?;
        // SAFETY: fresh from phase one.
        assert_eq!(unsafe { self.device.backend().meta().aclSetAclOpExecutorRepeatable(kept.executor)? }, 0);
        Ok(kept)
    }

    fn destroy(&self, kept: &Kept) -> Result<()> {
        let meta = self.device.backend().meta();
        for tensor in kept.tensors {
            // SAFETY: made by `plan`.
            assert_eq!(unsafe { meta.aclDestroyTensor(tensor)? }, 0);
        }
        // SAFETY: as above.
        assert_eq!(unsafe { meta.aclDestroyScalar(kept.alpha)? }, 0);
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

    fn synchronize(&self) -> Result<()> {
        // SAFETY: a live stream.
        assert_eq!(unsafe { self.device.backend().runtime().aclrtSynchronizeStream(self.stream)? }, 0);
        Ok(())
    }

    /// Runs both phases, with descriptors of their own.
    fn both_phases(&self) -> Result<()> {
        let kept = self.plan()?;
        self.launch(kept.executor)?;
        self.destroy(&kept)
    }

    /// Launches an executor again with other addresses.
    fn again(&self, kept: &Kept) -> Result<()> {
        let meta = self.device.backend().meta();
        for (index, (tensor, memory)) in kept.tensors.into_iter().zip(self.tensors).enumerate() {
            let address: *mut c_void = memory.as_raw();
            // SAFETY: a repeatable executor that no launch uses, one of its tensors, memory of the same size.
            assert_eq!(unsafe { meta.aclSetTensorAddr(kept.executor, index, tensor, address)? }, 0);
        }
        self.launch(kept.executor)
    }
}

/// A way to call.
type Way<'a> = (&'a str, Box<dyn FnMut(usize) -> Result<()> + 'a>);

/// Boxes a way to call; it is told the number of the call.
fn way<'a>(name: &'a str, call: impl FnMut(usize) -> Result<()> + 'a) -> Way<'a> {
    (name, Box::new(call))
}

/// What the command line chooses.
struct Choice {
    /// Ways whose names do not hold it are left out.
    wanted: String,
    rounds: usize,
}

impl Choice {
    /// Returns the least nanoseconds and allocations of each way in a sample. The ways alternate, so that a slow moment of
    /// the machine concerns none.
    fn measure(&self, device: &Device, title: &str, mut ways: Vec<Way<'_>>) -> Result<()> {
        ways.retain(|(name, _)| format!("{title}: {name}").contains(&self.wanted));
        if ways.is_empty() {
            return Ok(());
        }
        eprintln!("measuring: {title}");
        let mut best = vec![(f64::INFINITY, f64::INFINITY); ways.len()];
        for _ in 0..self.rounds {
            for ((_, call), best) in ways.iter_mut().zip(&mut best) {
                let (start, before) = (Instant::now(), ALLOCATIONS.get());
                (0..BATCH).try_for_each(&mut *call)?;
                let time = start.elapsed().as_nanos() as f64 / BATCH as f64;
                let allocations = (ALLOCATIONS.get() - before) as f64 / BATCH as f64;
                device.synchronize()?;
                *best = (best.0.min(time), best.1.min(allocations));
            }
        }
        println!("{title:<52} {:>9} {:>9} {:>12}", "ns", "× first", "allocations");
        for ((name, _), (time, allocations)) in ways.iter().zip(&best) {
            println!("  {name:<50} {time:>9.1} {:>9.2} {allocations:>12.1}", time / best[0].0);
        }
        println!();
        Ok(())
    }
}

/// A sum of two tensors of some elements, through C and through the safe layer.
struct Sum {
    stream: Stream,
    a: Tensor,
    b: Tensor,
    out: RefCell<Tensor>,
    target: Tensor,
    kept: Kept,
}

impl Sum {
    fn new(stream: Stream, elements: usize) -> Result<Self> {
        let ones = || Tensor::ones(&stream, [elements], DType::F32);
        let (a, b, out) = (ones()?, ones()?, ones()?);
        let target = out.clone();
        stream.synchronize()?;
        let kept = Raw::new(&stream, [&a, &b, &target]).repeatable()?;
        Ok(Sum { stream, a, b, out: RefCell::new(out), target, kept })
    }

    fn raw(&self) -> Raw<'_> {
        Raw::new(&self.stream, [&self.a, &self.b, &self.target])
    }

    /// Launches the repeatable executor.
    fn repeat(&self) -> Result<()> {
        self.raw().launch(self.kept.executor)
    }

    fn repeat_and_wait(&self) -> Result<()> {
        self.repeat()?;
        self.raw().synchronize()
    }

    fn complete_and_wait(&self) -> Result<()> {
        self.raw().both_phases()?;
        self.raw().synchronize()
    }

    fn run_into(&self) -> Result<()> {
        ops::add(&self.a, &self.b).run_into(&mut self.out.borrow_mut())
    }

    fn run_into_and_wait(&self) -> Result<()> {
        self.run_into()?;
        self.stream.synchronize()
    }
}

impl Drop for Sum {
    fn drop(&mut self) {
        // SAFETY: no launch uses it.
        let code = unsafe { self.raw().device.backend().meta().aclDestroyAclOpExecutor(self.kept.executor) };
        assert_eq!(code, Ok(0));
        assert!(self.raw().destroy(&self.kept).is_ok());
    }
}

/// Every way to queue a sum of sixteen elements, without waiting for it.
fn ways_to_call(device: &Device, choice: &Choice) -> Result<()> {
    let sum = Sum::new(device.stream(), 16)?;
    let h = Tensor::ones(device, [16], DType::F16)?;
    let raw = sum.raw();
    let ways = vec![
        way("raw: descriptors, both phases", |_| raw.both_phases()),
        way("raw: the same, without the library's cache", |_| {
            let _cache = control::executor_cache(0);
            raw.both_phases()
        }),
        way("raw: repeated executor, new addresses", |_| raw.again(&sum.kept)),
        way("raw: repeated executor", |_| sum.repeat()),
        way("safe: ops::add(&a, &b).run_into(&mut out)", |_| sum.run_into()),
        way("safe: a.add_in_place(&b)", |_| sum.out.borrow_mut().add_in_place(&sum.b)),
        way("safe: a.add(&b), with a new tensor", |_| sum.a.add(&sum.b).map(drop)),
        way("safe: the same, from f16 and f32: two launches", |_| h.add(&sum.b).map(drop)),
    ];
    choice.measure(device, "f32[16], queued only", ways)
}

/// One call at a time.
fn one_at_a_time(device: &Device, choice: &Choice, elements: usize, title: &str) -> Result<()> {
    let sum = Sum::new(device.stream(), elements)?;
    let ways = vec![
        way("raw: descriptors, both phases, synchronised", |_| sum.complete_and_wait()),
        way("raw: repeated executor, synchronised", |_| sum.repeat_and_wait()),
        way("safe: run_into, synchronised", |_| sum.run_into_and_wait()),
        way("raw: repeated executor", |_| sum.repeat()),
        way("safe: run_into", |_| sum.run_into()),
    ];
    choice.measure(device, title, ways)
}

/// Many calls one by one, and as a graph that is replayed.
fn in_a_graph(device: &Device, choice: &Choice) -> Result<()> {
    const CALLS: usize = 64;
    let sum = Sum::new(Stream::new(device)?, 16)?;
    let (graph, ()) = sum.stream.capture(|| (0..CALLS).try_for_each(|_| sum.run_into()))?;
    let ways = vec![
        way("safe: 64 calls of run_into", |_| (0..CALLS).try_for_each(|_| sum.run_into())),
        way("safe: a graph of them", |_| graph.replay()),
    ];
    choice.measure(device, "f32[16], 64 sums", ways)
}

/// The same call, while more and more tensors live: in the safe layer, in memory of the library, and as descriptors.
fn among_tensors(device: &Device, choice: &Choice) -> Result<()> {
    let backend = device.backend();
    for live in [1, 1_000, 100_000] {
        let tensors: Result<Vec<_>> = (0..live).map(|_| Tensor::empty(device, [1], DType::F32)).collect();
        let tensors = tensors?;
        let sum = Sum::new(device.stream(), 1)?;
        let raw = sum.raw();
        let mut others = Vec::new();
        for tensor in &tensors {
            let mut memory = std::ptr::null_mut();
            // SAFETY: a valid place; the context was made current by the calls before.
            let code = unsafe { backend.runtime().aclrtMalloc(&mut memory, 64, ACL_MEM_MALLOC_HUGE_FIRST)? };
            assert_eq!(code, 0);
            others.push((memory, raw.tensor(tensor)));
        }
        let ways = vec![
            way("raw: repeated executor, synchronised", |_| sum.repeat_and_wait()),
            way("safe: run_into, synchronised", |_| sum.run_into_and_wait()),
            way("raw: descriptors, both phases", |_| raw.both_phases()),
        ];
        choice.measure(device, &format!("f32[1], {live} live tensors"), ways)?;
        for (memory, descriptor) in others {
            // SAFETY: made above, used by nothing.
            let codes = unsafe {
                [backend.meta().aclDestroyTensor(descriptor)?, backend.runtime().aclrtFree(memory)?]
            };
            assert_eq!(codes, [0, 0]);
        }
    }
    Ok(())
}

/// Calls that go to one stream after the other.
fn among_streams(device: &Device, choice: &Choice) -> Result<()> {
    for count in [1, 64] {
        let sums: Result<Vec<_>> = (0..count).map(|_| Sum::new(Stream::new(device)?, 1)).collect();
        let sums = sums?;
        let ways = vec![
            way("raw: descriptors, both phases, synchronised", |index| {
                sums[index % count].complete_and_wait()
            }),
            way("raw: repeated executor, synchronised", |index| sums[index % count].repeat_and_wait()),
            way("safe: run_into, synchronised", |index| sums[index % count].run_into_and_wait()),
        ];
        choice.measure(device, &format!("f32[1], on {count} streams in turn"), ways)?;
    }
    Ok(())
}

fn main() -> Result<()> {
    // What cargo adds begins with a dash. `ROUNDS` is for programs that count instructions.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let choice = Choice { wanted, rounds };
    let device = Device::open(0)?;
    println!("backend: {}\n", device.backend());
    ways_to_call(&device, &choice)?;
    one_at_a_time(&device, &choice, 1, "f32[1], one at a time")?;
    in_a_graph(&device, &choice)?;
    among_tensors(&device, &choice)?;
    among_streams(&device, &choice)?;
    one_at_a_time(&device, &choice, 10_000, "f32[10000], checks at their default")?;
    let _off = control::check_everywhere(Level::Off);
    one_at_a_time(&device, &choice, 1, "f32[1], checks off")?;
    one_at_a_time(&device, &choice, 10_000, "f32[10000], checks off")
}
