//! What collectives compute, beside plain loops over the elements of all ranks.

use aclnn::collective::{Communicator, ReduceOp};
use aclnn::{DType, Element, Error, Stream, Tensor, bf16, f16, ops};

use super::{DEVICES, Outcome, at_once, in_threads, is_alone};

const MODES: [&str; 3] = ["lazy", "deferred", "worker"];
const OPS: [ReduceOp; 4] = [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Max, ReduceOp::Min];

/// Small numbers that differ between ranks and places.
fn value(rank: usize, place: usize) -> i64 {
    ((rank * 3 + place * 2) % 5 + 1) as i64
}

/// The values of all ranks at a place, combined one after the other.
fn combined(op: ReduceOp, size: usize, place: usize) -> i64 {
    let values = (0..size).map(|rank| value(rank, place));
    match op {
        ReduceOp::Sum => values.sum(),
        ReduceOp::Product => values.product(),
        ReduceOp::Max => values.max().unwrap_or(0),
        ReduceOp::Min => values.min().unwrap_or(0),
    }
}

/// Every collective that combines, with elements that `of` makes of whole numbers.
fn reductions<T: Element + PartialEq + std::fmt::Debug>(size: usize, of: fn(i64) -> T) -> Result<(), Error> {
    let places = 3 * size;
    in_threads(size, |own| {
        let rank = own.rank();
        let elements: Vec<T> = (0..places).map(|place| of(value(rank, place))).collect();
        let x = Tensor::from_slice(own.device(), &elements, [places])?;
        for (number, op) in OPS.into_iter().enumerate() {
            let expected: Vec<T> = (0..places).map(|place| of(combined(op, size, place))).collect();
            let part = expected.get(3 * rank..3 * rank + 3).unwrap_or_default();
            let root = (number + 1) % size;

            assert_eq!(own.all_reduce(&x, op)?.to_vec::<T>()?, expected, "{op:?}");
            let mut out = x.empty_like()?;
            own.all_reduce_into(&x, &mut out, op)?;
            assert_eq!(out.to_vec::<T>()?, expected, "{op:?}");
            let mut inside = x.copy()?;
            own.all_reduce_in_place(&mut inside, op)?;
            assert_eq!(inside.to_vec::<T>()?, expected, "{op:?}");

            assert_eq!(own.reduce_scatter(&x, op)?.to_vec::<T>()?, part, "{op:?}");
            let mut out = Tensor::empty(own.device(), [3], T::DTYPE)?;
            own.reduce_scatter_into(&x, &mut out, op)?;
            assert_eq!(out.to_vec::<T>()?, part, "{op:?}");

            let reduced = own.reduce(&x, op, root)?.map(|out| out.to_vec::<T>()).transpose()?;
            assert_eq!(reduced, (rank == root).then(|| expected.clone()), "{op:?}");
            let mut inside = x.copy()?;
            own.reduce_in_place(&mut inside, op, root)?;
            let kept = if rank == root { &expected } else { &elements };
            assert_eq!(inside.to_vec::<T>()?, *kept, "{op:?}");
            let mut out = x.copy()?;
            own.reduce_into(&x, (rank == root).then_some(&mut out), op, root)?;
            assert_eq!(out.to_vec::<T>()?, *kept, "{op:?}");
        }
        assert_eq!(x.to_vec::<T>()?, elements, "what is read stays");
        Ok(())
    })
    .map(drop)
}

#[test]
fn elements_of_every_type_are_combined() -> Outcome {
    if !is_alone(module_path!(), "elements_of_every_type_are_combined", &["lazy"])? {
        return Ok(());
    }
    for size in [1, 2, 3, DEVICES] {
        // Integers wrap, as those of Rust do here.
        reductions::<i8>(size, |value| value as i8)?;
        reductions::<i16>(size, |value| value as i16)?;
        reductions::<i32>(size, |value| value as i32)?;
        reductions::<i64>(size, |value| value)?;
        reductions::<u8>(size, |value| value as u8)?;
        reductions::<u16>(size, |value| value as u16)?;
        reductions::<u32>(size, |value| value as u32)?;
        reductions::<u64>(size, |value| value as u64)?;
        reductions::<f32>(size, |value| value as f32)?;
        reductions::<f64>(size, |value| value as f64)?;
        // Rounded once.
        reductions::<f16>(size, |value| f16::from_f64(value as f64))?;
        reductions::<bf16>(size, |value| bf16::from_f64(value as f64))?;
    }
    Ok(())
}

#[test]
fn truth_values_are_combined_to_truth_values() -> Outcome {
    if !is_alone(module_path!(), "truth_values_are_combined_to_truth_values", &["lazy"])? {
        return Ok(());
    }
    for own in in_threads(2, |own| {
        let x = Tensor::from_slice(own.device(), &[own.rank() == 0, true, false], [3])?;
        let (any, all) = (own.all_reduce(&x, ReduceOp::Max)?, own.all_reduce(&x, ReduceOp::Product)?);
        assert!(own.all_reduce(&x, ReduceOp::Sum).is_err());
        Ok((any.to_vec::<bool>()?, all.to_vec::<bool>()?))
    })? {
        assert_eq!(own, (vec![true, true, false], vec![false, true, false]));
    }
    Ok(())
}

/// The bytes of a part of 8 elements: part `to` of rank `from`.
fn part(dtype: DType, from: usize, to: usize) -> Vec<u8> {
    let bytes = dtype.storage_bytes(8).unwrap_or(0);
    let byte = |place| (from * 37 + to * 11 + place * 3) as u8;
    (0..bytes).map(byte).map(|byte| if dtype == DType::Bool { byte & 1 } else { byte }).collect()
}

#[test]
fn elements_of_every_type_are_moved_bit_by_bit() -> Outcome {
    if !is_alone(module_path!(), "elements_of_every_type_are_moved_bit_by_bit", &["lazy"])? {
        return Ok(());
    }
    for size in [1, 2, 3, DEVICES] {
        in_threads(size, |own| {
            let (rank, root) = (own.rank(), size - 1);
            let (right, left) = ((rank + 1) % size, (rank + size - 1) % size);
            for &dtype in DType::ALL.iter().filter(|dtype| dtype.bits() > 0) {
                let of = |from, to| Tensor::from_bytes(own.device(), dtype, &part(dtype, from, to), [8]);
                let all = |part: &dyn Fn(usize) -> Vec<u8>| (0..size).flat_map(part).collect::<Vec<_>>();
                let sent = all(&|to| part(dtype, rank, to));
                let x = Tensor::from_bytes(own.device(), dtype, &sent, [size, 8])?;
                let (whole, pieces) =
                    (all(&|to| part(dtype, root, to)), all(&|from| part(dtype, from, rank)));

                assert_eq!(own.broadcast(&x, root)?.to_bytes()?, whole, "{dtype}");
                let mut inside = Tensor::from_bytes(own.device(), dtype, &sent, [size, 8])?;
                own.broadcast_in_place(&mut inside, root)?;
                assert_eq!(inside.to_bytes()?, whole, "{dtype}");

                let gathered = own.all_gather(&of(rank, 0)?)?;
                assert_eq!(
                    (gathered.dims(), gathered.to_bytes()?),
                    (&[8 * size][..], all(&|from| part(dtype, from, 0)))
                );
                let mut out = x.empty_like()?;
                own.all_gather_into(&of(rank, 0)?.reshape([1, 8])?, &mut out)?;
                assert_eq!(out.to_bytes()?, gathered.to_bytes()?, "{dtype}");

                assert_eq!(own.all_to_all(&x)?.to_bytes()?, pieces, "{dtype}");
                let mut inside = Tensor::from_bytes(own.device(), dtype, &sent, [size, 8])?;
                own.all_to_all_into(&inside.clone(), &mut inside)?;
                assert_eq!(inside.to_bytes()?, pieces, "{dtype}");

                assert_eq!(own.scatter(&x, root)?.to_bytes()?, part(dtype, root, rank), "{dtype}");
                let mut out = Tensor::empty(own.device(), [1, 8], dtype)?;
                own.scatter_into((rank == root).then_some(&x), &mut out, root)?;
                assert_eq!(out.to_bytes()?, part(dtype, root, rank), "{dtype}");

                if size > 1 {
                    let received = ring(own, &of(rank, 5)?, left, right)?;
                    assert_eq!(received.to_bytes()?, part(dtype, left, 5), "{dtype}");
                    let (first, second) = (of(rank, 1)?, of(rank, 2)?);
                    let (mut a, mut b) = (first.empty_like()?, first.empty_like()?);
                    // Two messages to one rank keep their order.
                    let batch = own.batch().send(&first, right).send(&second, right);
                    batch.recv(&mut a, left).recv(&mut b, left).run()?;
                    assert_eq!(a.to_bytes()?, part(dtype, left, 1), "{dtype}");
                    assert_eq!(b.to_bytes()?, part(dtype, left, 2), "{dtype}");
                }
            }
            own.barrier()?;
            own.device().synchronize()
        })?;
    }
    Ok(())
}

/// Passes a tensor on to the right; one rank receives first.
fn ring(own: &Communicator, x: &Tensor, left: usize, right: usize) -> Result<Tensor, Error> {
    if own.rank() == 0 {
        let received = own.recv(x.shape(), x.dtype(), left)?;
        own.send(x, right)?;
        return Ok(received);
    }
    own.send(x, right)?;
    let mut received = x.empty_like()?;
    own.recv_into(&mut received, left)?;
    Ok(received)
}

#[test]
fn one_thread_drives_all_ranks_and_every_mode_gives_the_same() -> Outcome {
    if !is_alone(module_path!(), "one_thread_drives_all_ranks_and_every_mode_gives_the_same", &MODES)? {
        return Ok(());
    }
    for size in [1, 2, 3, DEVICES] {
        let group = at_once(size)?;
        assert!(group.iter().all(|own| own.size() == size && own.name() == group[0].name()));
        let mut results = Vec::new();
        for own in &group {
            let mut x = Tensor::full(own.device(), [5], own.rank() as f32, DType::F32)?;
            own.all_reduce_in_place(&mut x, ReduceOp::Sum)?;
            // Work before and behind it on the same stream.
            x.mul_in_place(2)?;
            own.barrier()?;
            results.push((own.all_gather(&x)?, x));
        }
        let expected = 2.0 * (0..size).sum::<usize>() as f32;
        for (all, own) in results {
            assert_eq!(own.to_vec::<f32>()?, [expected; 5]);
            assert_eq!(all.to_vec::<f32>()?, vec![expected; 5 * size]);
        }
    }
    Ok(())
}

#[test]
fn views_are_read_and_written() -> Outcome {
    if !is_alone(module_path!(), "views_are_read_and_written", &MODES)? {
        return Ok(());
    }
    in_threads(2, |own| {
        let grid = |first: i32| Tensor::from_slice(own.device(), &[first, 2, 3, 4, 5, 6], [2, 3]);
        let (x, rank) = (grid(own.rank() as i32)?, own.rank());
        // An input in columns, and a part that does not begin at the beginning.
        let turned = x.transpose(0, 1)?;
        assert_eq!(own.all_reduce(&turned, ReduceOp::Sum)?.to_vec::<i32>()?, [1, 8, 4, 10, 6, 12]);
        assert_eq!(own.all_gather(&x.select(0, 1)?)?.to_vec::<i32>()?, [4, 5, 6, 4, 5, 6]);
        assert_eq!(own.broadcast(&x.select(1, 0)?, 1)?.to_vec::<i32>()?, [1, 4]);
        // A broadcast view, each element of which is one.
        let one = x.select(0, 0)?.select(0, 0)?;
        assert_eq!(own.all_reduce(&one.broadcast_to([2, 2])?, ReduceOp::Sum)?.to_vec::<i32>()?, [1; 4]);
        // Outputs in columns: the others stay.
        let column = grid(0)?;
        own.all_reduce_into(&x.select(1, 2)?, &mut column.select(1, 1)?, ReduceOp::Sum)?;
        assert_eq!(column.to_vec::<i32>()?, [0, 6, 3, 4, 12, 6]);
        own.all_reduce_in_place(&mut column.select(1, 0)?, ReduceOp::Max)?;
        own.broadcast_in_place(&mut column.select(1, 2)?, 0)?;
        assert_eq!(column.to_vec::<i32>()?, [0, 6, 3, 4, 12, 6]);
        let wide = Tensor::zeros(own.device(), [2, 4], DType::I32)?;
        own.all_gather_into(
            &turned.select(1, rank)?.slice(0, 0..2)?,
            &mut wide.transpose(0, 1)?.select(1, 0)?,
        )?;
        assert_eq!(wide.to_vec::<i32>()?, [0, 2, 4, 5, 0, 0, 0, 0]);
        if rank == 0 {
            own.send(&turned, 1)?;
        } else {
            let out = grid(0)?;
            own.recv_into(&mut out.transpose(0, 1)?, 0)?;
            assert_eq!(out.to_vec::<i32>()?, [0, 2, 3, 4, 5, 6]);
        }
        // Unsigned integers are written through views in another way.
        let counts = Tensor::from_slice(own.device(), &[1u32, 2, 3, 4], [2, 2])?;
        let sums = counts.copy()?;
        own.all_reduce_into(&counts, &mut sums.transpose(0, 1)?, ReduceOp::Sum)?;
        assert_eq!(sums.to_vec::<u32>()?, [2, 6, 4, 8]);
        own.device().synchronize()
    })?;
    Ok(())
}

/// Rank `r` sends `r + 2 to` rows to each, which is none to some; rows of whole numbers tell where they come from.
#[test]
fn parts_of_any_lengths_go_where_they_belong() -> Outcome {
    if !is_alone(module_path!(), "parts_of_any_lengths_go_where_they_belong", &MODES)? {
        return Ok(());
    }
    for size in 1..=DEVICES.min(4) {
        in_threads(size, |own| {
            let rank = own.rank();
            let length = |from: usize, to: usize| (from + 2 * to) % 3;
            let rows = |from: usize, to: usize| {
                (0..2 * length(from, to)).map(move |place| (from * 100 + to * 10 + place) as i32)
            };
            let lengths = |of: &dyn Fn(usize) -> usize| (0..size).map(of).collect::<Vec<_>>();
            let (send, receive) = (lengths(&|to| length(rank, to)), lengths(&|from| length(from, rank)));
            let sent: Vec<i32> = (0..size).flat_map(|to| rows(rank, to)).collect();
            let received: Vec<i32> = (0..size).flat_map(|from| rows(from, rank)).collect();
            let x = Tensor::from_slice(own.device(), &sent, [sent.len() / 2, 2])?;
            let y = own.all_to_all_parts(&x, &send, &receive)?;
            assert_eq!((y.dims(), y.to_vec::<i32>()?), (&[received.len() / 2, 2][..], received));
            // A view that is not contiguous.
            let turned = x.transpose(0, 1)?.copy()?.transpose(0, 1)?;
            assert_eq!(own.all_to_all_parts(&turned, &send, &receive)?.to_bytes()?, y.to_bytes()?);
            let parts = lengths(&|rank| (rank + 1) % 3);
            let mine = Tensor::full(own.device(), [parts[rank], 2], rank as i64, DType::I64)?;
            let all: Vec<i64> = (0..size).flat_map(|from| vec![from as i64; 2 * parts[from]]).collect();
            assert_eq!(own.all_gather_parts(&mine, &parts)?.to_vec::<i64>()?, all);
            // A type that HCCL lacks.
            let complex = mine.cast(DType::C64)?;
            assert_eq!(own.all_gather_parts(&complex, &parts)?.cast(DType::I64)?.to_vec::<i64>()?, all);
            let count = 2 * parts.iter().sum::<usize>();
            let values: Vec<f32> = (0..count).map(|place| value(rank, place) as f32).collect();
            let x = Tensor::from_slice(own.device(), &values, [count / 2, 2])?;
            let begin = 2 * parts[..rank].iter().sum::<usize>();
            for op in OPS {
                let sums: Vec<f32> =
                    (begin..begin + 2 * parts[rank]).map(|place| combined(op, size, place) as f32).collect();
                assert_eq!(own.reduce_scatter_parts(&x, &parts, op)?.to_vec::<f32>()?, sums, "{op:?}");
            }
            let text = |result: Result<Tensor, Error>| result.map(drop).unwrap_err().to_string();
            let more = vec![1; size + 1];
            let taller = Tensor::zeros(own.device(), [size + 1, 2], DType::F32)?;
            assert!(text(own.all_to_all_parts(&taller, &more, &more)).contains("but the group has"));
            assert!(
                text(own.reduce_scatter_parts(&taller, &parts[1..], ReduceOp::Sum)).contains("rows together")
            );
            own.device().synchronize()
        })?;
    }
    Ok(())
}

#[test]
fn tensors_without_elements_and_without_axes_take_part() -> Outcome {
    if !is_alone(module_path!(), "tensors_without_elements_and_without_axes_take_part", &MODES)? {
        return Ok(());
    }
    in_threads(3, |own| {
        let none = Tensor::zeros(own.device(), [0, 4], DType::F32)?;
        assert_eq!(own.all_reduce(&none, ReduceOp::Sum)?.dims(), [0, 4]);
        assert_eq!(own.reduce_scatter(&none, ReduceOp::Sum)?.dims(), [0, 4]);
        assert_eq!(own.all_gather(&none)?.dims(), [0, 4]);
        assert_eq!(own.all_to_all(&none)?.dims(), [0, 4]);
        assert_eq!(own.scatter(&none, 1)?.dims(), [0, 4]);
        assert_eq!(own.broadcast(&none, 1)?.dims(), [0, 4]);
        let mut received = none.empty_like()?;
        let (right, left) = ((own.rank() + 1) % 3, (own.rank() + 2) % 3);
        own.batch().send(&none, right).recv(&mut received, left).run()?;
        own.batch().run()?;
        let single = Tensor::from_slice(own.device(), &[own.rank() as f64], ())?;
        assert_eq!(own.all_reduce(&single, ReduceOp::Sum)?.item::<f64>()?, 3.0);
        let all = own.all_gather(&single)?;
        assert_eq!((all.dims(), all.to_vec::<f64>()?), (&[3][..], vec![0.0, 1.0, 2.0]));
        own.device().synchronize()
    })?;
    Ok(())
}

/// The elements come late, from another stream, and the result is read on a third one.
#[test]
fn streams_are_put_in_order_around_a_collective() -> Outcome {
    if !is_alone(module_path!(), "streams_are_put_in_order_around_a_collective", &MODES)? {
        return Ok(());
    }
    in_threads(2, |own| {
        let streams = [Stream::new(own.device())?, Stream::new(own.device())?, Stream::new(own.device())?];
        let [first, second, third] = &streams;
        let mut x = Tensor::full(first, [1000], own.rank() as f32, DType::F32)?;
        for round in 0..10 {
            x.add_in_place(1)?;
            let sum = own.on(second).all_reduce(&x, ReduceOp::Sum)?;
            assert_eq!(sum.stream(), second);
            // It must wait for the collective, which reads the old elements.
            x.add_in_place(0)?;
            let own_sum = ops::sub(&sum, own.rank() as f32).on(third).run()?;
            own.on(third).barrier()?;
            assert_eq!(own_sum.to_vec::<f32>()?, vec![(2 * round + 3 - own.rank()) as f32; 1000]);
        }
        own.on(third).recv_or_send(&x)
    })?;
    Ok(())
}

/// A message on the stream of the handle.
trait Message {
    fn recv_or_send(&self, x: &Tensor) -> Result<(), Error>;
}

impl Message for Communicator {
    fn recv_or_send(&self, x: &Tensor) -> Result<(), Error> {
        if self.rank() == 0 {
            return self.send(x, 1);
        }
        let received = self.recv(x.shape(), x.dtype(), 0)?;
        assert_ne!(received.stream(), x.stream());
        assert_eq!(received.to_vec::<f32>()?, [10.0; 1000]);
        Ok(())
    }
}

/// Each rank captures the same calls, and replays them as often as the others.
#[test]
fn captured_collectives_are_replayed() -> Outcome {
    if !is_alone(module_path!(), "captured_collectives_are_replayed", &MODES)? {
        return Ok(());
    }
    in_threads(2, |own| {
        let stream = Stream::new(own.device())?;
        let mut x = Tensor::zeros(&stream, [4], DType::I32)?;
        let captured = stream.capture(|| own.all_reduce(&x, ReduceOp::Sum)?.mul(2));
        if matches!(captured, Err(Error::MissingSymbol(_))) {
            crate::support::skipped("the library does not capture graphs");
            return Ok(());
        }
        let (graph, doubled) = captured?;
        for round in 0..3 {
            let elements: Vec<i32> = (0..4).map(|place| value(own.rank(), place + round) as i32).collect();
            x.copy_from_slice(&elements)?;
            graph.replay()?;
            let expected: Vec<i32> =
                (0..4).map(|place| 2 * combined(ReduceOp::Sum, 2, place + round) as i32).collect();
            assert_eq!(doubled.to_vec::<i32>()?, expected);
            assert_eq!(own.all_reduce(&x, ReduceOp::Sum)?.mul(2)?.to_vec::<i32>()?, expected);
        }
        Ok(())
    })?;
    // The graph keeps the communicator.
    let own = at_once(1)?.remove(0);
    let stream = Stream::new(own.device())?;
    let x = Tensor::ones(&stream, [2], DType::F32)?;
    let Ok((graph, _)) = stream.capture(|| own.all_reduce(&x, ReduceOp::Sum)) else { return Ok(()) };
    let own = own.close().expect_err("a graph uses it").into_handle().expect("it still works");
    graph.replay()?;
    drop(graph);
    own.close()?;
    Ok(())
}

/// With threads and several elements a round: more than the ranks have room for at once.
#[test]
fn large_tensors_go_through_in_rounds() -> Outcome {
    if !is_alone(module_path!(), "large_tensors_go_through_in_rounds", &["lazy", "worker"])? {
        return Ok(());
    }
    let count = (1 << 20) + 3;
    in_threads(2, |own| {
        let x = Tensor::arange(own.device(), 0, count, 1, DType::I32)?;
        let sum = own.all_reduce(&x, ReduceOp::Sum)?.to_vec::<i32>()?;
        assert!(sum.iter().enumerate().all(|(place, sum)| *sum == 2 * place as i32));
        let all = own.all_gather(&x)?.to_vec::<i32>()?;
        assert!(all.iter().enumerate().all(|(place, value)| *value == place as i32 % count));
        Ok(())
    })?;
    Ok(())
}
