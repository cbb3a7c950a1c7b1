//! Conversions by the rules of CANN and by those of ONNX, compared with a copy of as many bytes: the ratio of their times.
//!
//! `cargo bench -p aclnn-numerics --bench convert`. Every figure is the best of several runs, in cache.

use std::hint::black_box;
use std::time::Instant;

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::convert::cann::converter_on;
use aclnn_numerics::convert::onnx::{Cast, CastOptions};
use aclnn_numerics::product::Product;

/// Few enough elements that both sides stay in the cache of one core.
const ELEMENTS: usize = 1 << 14;

fn main() {
    println!("{:<18} {:>12} {:>12} {:>12} {:>12}", "conversion", "ns/element", "× copy", "ONNX", "× copy");
    for (from, to) in [
        (F16, F32),
        (F32, F16),
        (BF16, F32),
        (F32, BF16),
        (F16, BF16),
        (F32, I8),
        (F32, Bool),
        (Bool, F32),
        (I32, F16),
        (I32, F32),
        (F64, F32),
        (I64, F32),
        (I64, I32),
        (F32, I64),
        (F16, I8),
        (I8, F16),
        (F8E4M3FN, F32),
        (F32, F8E4M3FN),
        (F8E5M2, F32),
        (F32, F8E5M2),
        (HiF8, F32),
        (F32, HiF8),
    ] {
        let Some(convert) = converter_on(Product::Ascend950, from, to) else { continue };
        let bytes = |dtype: DType| dtype.bits() / 8 * ELEMENTS;
        // Codes of every kind: small and large, of both signs.
        let source: Vec<u8> = (0..bytes(from)).map(|i| (i * 89 / 8) as u8).collect();
        let mut target = vec![0; bytes(to)];
        let time = best(|| convert(black_box(&source), black_box(&mut target)));
        // Half of what is moved is read, and half is written.
        let half = vec![1u8; (bytes(from) + bytes(to)) / 2];
        let mut copy = vec![0; half.len()];
        let limit = best(|| black_box(&mut copy).copy_from_slice(black_box(&half)));
        let name = format!("{from} → {to}");
        print!("{name:<18} {:>12.3} {:>12.2}", time / ELEMENTS as f64, time / limit);
        match Cast::new(from, to, CastOptions::default()) {
            Ok(cast) => {
                let time = best(|| {
                    black_box(cast.run(black_box(&source), ELEMENTS, black_box(&mut target))).ok();
                });
                println!(" {:>12.3} {:>12.2}", time / ELEMENTS as f64, time / limit);
            }
            Err(_) => println!(),
        }
    }
}

/// Returns the least time of a run, in nanoseconds.
fn best(mut run: impl FnMut()) -> f64 {
    let times = (0..200).map(|_| {
        let start = Instant::now();
        for _ in 0..10 {
            run();
        }
        start.elapsed().as_nanos() as f64 / 10.0
    });
    times.fold(f64::INFINITY, f64::min)
}
