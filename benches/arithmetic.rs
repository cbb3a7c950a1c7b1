//! Mixed-type addition compared with the machine's copy bandwidth: the ratio of the addition's time to the time of
//! moving the bytes.
//!
//! `cargo bench --bench arithmetic`. Every figure is the best of several runs, and both times of a ratio are from one
//! run.

use std::hint::black_box;
use std::time::Instant;

use aclnn::{DType, Device, Result, Tensor, ops};

/// Enough elements to exceed every cache.
const LARGE: usize = 1 << 22;

fn main() -> Result<()> {
    let device = Device::open(0)?;
    println!("backend: {}", device.backend());
    let per_byte = copy();
    println!("copy: {:.1} GB/s\n", 1.0 / per_byte);

    println!("{LARGE} elements, out of place");
    println!("{:<16} {:>12} {:>12}", "a + b", "ns/element", "× copy");
    for (a, b) in [
        (DType::F32, DType::F32),
        (DType::F16, DType::F32),
        (DType::BF16, DType::F32),
        (DType::F16, DType::F16),
        (DType::BF16, DType::BF16),
        (DType::I32, DType::F32),
        (DType::U8, DType::I8),
        (DType::F64, DType::F32),
        (DType::C64, DType::F32),
    ] {
        let pair = Pair::new(&device, a, b, LARGE)?;
        let result = pair.out.dtype();
        let time = pair.add(3)?;
        let moved = [a, b, result].iter().map(|dtype| dtype.bits() / 8).sum::<usize>() * LARGE;
        let (name, each) = (format!("{a} + {b}"), time / LARGE as f64);
        println!("{name:<16} {each:>12.3} {:>12.2}", time / (moved as f64 * per_byte));
    }

    println!("\nf16 + f32, by size");
    println!("{:<16} {:>12} {:>12}", "elements", "ns", "ns/element");
    for size in [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let time = Pair::new(&device, DType::F16, DType::F32, size)?.add(200)?;
        println!("{size:<16} {time:>12.0} {:>12.3}", time / size as f64);
    }
    Ok(())
}

/// Returns the nanoseconds to move a byte: half of the bytes are read, half written.
fn copy() -> f64 {
    let (from, mut to) = (vec![1_u8; LARGE * 8], vec![0_u8; LARGE * 8]);
    best(|| {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
    }) / (2 * from.len()) as f64
}

struct Pair {
    a: Tensor,
    b: Tensor,
    out: Tensor,
}

impl Pair {
    fn new(device: &Device, a: DType, b: DType, size: usize) -> Result<Self> {
        let (a, b) = (Tensor::ones(device, [size], a)?, Tensor::ones(device, [size], b)?);
        let out = a.add(&b)?;
        Ok(Self { a, b, out })
    }

    /// Returns the nanoseconds of an addition, among `repeats` additions that are waited for together.
    fn add(mut self, repeats: usize) -> Result<f64> {
        let mut outcome = Ok(());
        let time = best(|| {
            for _ in 0..repeats {
                let added =
                    ops::add(&self.a, &self.b).policy(aclnn::plan::Policy::Delegate).run_into(&mut self.out);
                outcome = std::mem::replace(&mut outcome, Ok(())).and(added);
            }
            outcome = std::mem::replace(&mut outcome, Ok(())).and(self.out.stream().synchronize());
        });
        outcome.map(|()| time / repeats as f64)
    }
}

/// Returns the nanoseconds of the fastest of some runs.
fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64
    };
    (0..7).map(time).fold(f64::INFINITY, f64::min)
}
