//! What collectives compute, beside plain loops over the elements of all ranks.

use aclnn::collective::ReduceOp;
use aclnn::{DType, Tensor};

use super::{DEVICES, Outcome, at_once, in_threads, is_alone};

const MODES: [&str; 3] = ["lazy", "deferred", "worker"];

#[test]
fn ranks_in_threads_and_in_one_thread_compute_the_same() -> Outcome {
    if !is_alone(module_path!(), "ranks_in_threads_and_in_one_thread_compute_the_same", &MODES)? {
        return Ok(());
    }
    for size in [1, 2, 3, DEVICES] {
        let total = (0..size).sum::<usize>() as f32;
        let sums = in_threads(size, |own| {
            let x = Tensor::from_slice(own.device(), &[own.rank() as f32, 1.0, 0.5], [3])?;
            let sum = own.all_reduce(&x, ReduceOp::Sum)?;
            let mut first = x.copy()?;
            own.broadcast_in_place(&mut first, size - 1)?;
            own.barrier()?;
            Ok((sum.to_vec::<f32>()?, first.to_vec::<f32>()?))
        })?;
        for (sum, first) in sums {
            assert_eq!(sum, [total, size as f32, 0.5 * size as f32]);
            assert_eq!(first, [size as f32 - 1.0, 1.0, 0.5]);
        }
        let group = at_once(size)?;
        let mut sums = Vec::new();
        for own in &group {
            let mut x = Tensor::full(own.device(), [5], own.rank() as f32, DType::F32)?;
            own.all_reduce_in_place(&mut x, ReduceOp::Sum)?;
            sums.push(x);
        }
        for sum in sums {
            assert_eq!(sum.to_vec::<f32>()?, [total; 5]);
        }
    }
    Ok(())
}
