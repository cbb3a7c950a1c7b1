//! Views share the buffer: they are read, written and computed with in place.

use std::ops::Bound;

use aclnn::layout::LayoutError;
use aclnn::product::Product;
use aclnn::{
    Complex, DType, Device, Element, Ellipsis, Error, NewAxis, Parts, Policy, Scalar, Tensor, f16, ops, step,
};

use crate::support;

type Outcome = Result<(), Error>;

fn grid(device: &Device) -> Result<Tensor, Error> {
    Tensor::arange(device, 0, 12, 1, DType::I32)?.reshape([3, 4])
}

#[test]
fn reading_through_views() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    assert_eq!(grid.slice(0, 1..3)?.to_vec::<i32>()?, [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(grid.slice(1, 1..3)?.to_vec::<i32>()?, [1, 2, 5, 6, 9, 10]);
    assert_eq!(grid.slice(1, ..)?.to_vec::<i32>()?, grid.to_vec::<i32>()?);
    assert_eq!(grid.slice(1, 3..)?.to_vec::<i32>()?, [3, 7, 11]);
    assert_eq!(grid.slice(0, ..1)?.slice(1, ..=1)?.to_vec::<i32>()?, [0, 1]);
    assert_eq!(grid.slice_step(1, 1.., 2)?.to_vec::<i32>()?, [1, 3, 5, 7, 9, 11]);
    assert_eq!(grid.slice_step(1, 0..4, 3)?.to_vec::<i32>()?, [0, 3, 4, 7, 8, 11]);
    assert_eq!(grid.slice(1, (Bound::Excluded(2), Bound::Unbounded))?.to_vec::<i32>()?, [3, 7, 11]);
    assert_eq!(grid.slice_step(1, 1..4, usize::MAX)?.to_vec::<i32>()?, [1, 5, 9]);
    assert_eq!(grid.slice_step(0, 1..3, usize::MAX)?.to_vec::<i32>()?, [4, 5, 6, 7]);
    assert_eq!(grid.select(1, 2)?.to_vec::<i32>()?, [2, 6, 10]);
    assert_eq!(grid.transpose(0, 1)?.to_vec::<i32>()?, [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    assert_eq!(grid.permute(&[1, 0])?.shape(), &aclnn::Shape::from([4, 3]));
    assert_eq!(grid.select(0, 1)?.broadcast_to([2, 4])?.to_vec::<i32>()?, [4, 5, 6, 7, 4, 5, 6, 7]);
    assert_eq!(grid.unsqueeze(1)?.squeeze(1)?.shape(), grid.shape());
    assert_eq!(grid.flatten_all()?.shape(), &aclnn::Shape::from(12));
    let (left, right) = grid.split_at(1, 3)?;
    assert_eq!(left.to_vec::<i32>()?, [0, 1, 2, 4, 5, 6, 8, 9, 10]);
    assert_eq!(right.to_vec::<i32>()?, [3, 7, 11]);
    assert_eq!(grid.split_at(0, 3)?.1.numel(), 0);
    assert_eq!(right.select(0, 1)?.item::<i32>()?, 7);
    assert!(grid.slice(0, 3..3)?.to_vec::<i32>()?.is_empty());
    assert!(grid.select(1, 2)?.shares_buffer_with(&grid));
    assert!(!grid.select(1, 2)?.contiguous()?.shares_buffer_with(&grid));
    assert!(grid.contiguous()?.shares_buffer_with(&grid));
    Ok(())
}

#[test]
#[allow(clippy::reversed_empty_ranges, reason = "they count from the end")]
fn axes_and_indices_count_from_the_end_too() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let read = |view: Result<Tensor, Error>| view?.to_vec::<i32>();
    // As NumPy has it: grid[:, -1], grid[-2:, 1:-1], and so on.
    assert_eq!(read(grid.select(-1, -1))?, [3, 7, 11]);
    assert_eq!(read(grid.select(-2, -3))?, [0, 1, 2, 3]);
    assert_eq!(read(grid.slice(0, -2..)?.slice(-1, 1..-1))?, [5, 6, 9, 10]);
    assert_eq!(read(grid.slice(-1, (1, -1)))?, read(grid.slice(-1, 1..-1))?);
    assert_eq!(read(grid.slice(-1, (1usize, -1i64)))?, read(grid.slice(-1, 1..3))?);
    assert_eq!(read(grid.slice(-1, ..-2))?, [0, 1, 4, 5, 8, 9]);
    assert_eq!(read(grid.slice(-1, -3..-1))?, [1, 2, 5, 6, 9, 10]);
    assert_eq!(read(grid.slice(0, ..=-1))?, read(Ok(grid.clone()))?);
    assert_eq!(read(grid.slice(0, -1..=-1))?, [8, 9, 10, 11]);
    assert_eq!(read(grid.slice(1, (Bound::Excluded(-2), Bound::Unbounded)))?, [3, 7, 11]);
    assert!(read(grid.slice(1, -1..-1))?.is_empty());
    assert_eq!(read(grid.slice_step(1, -4.., 3))?, [0, 3, 4, 7, 8, 11]);
    assert_eq!(read(grid.transpose(-1, -2))?, read(grid.transpose(0, 1))?);
    assert_eq!(read(grid.permute(&[-1, 0]))?, read(grid.transpose(0, 1))?);
    assert_eq!(grid.unsqueeze(-1)?.dims(), [3, 4, 1]);
    assert_eq!(grid.unsqueeze(-3)?.dims(), [1, 3, 4]);
    assert_eq!(grid.unsqueeze(-2)?.squeeze(-2)?.dims(), [3, 4]);
    assert_eq!(read(Ok(grid.split_at(-1, -1)?.1))?, [3, 7, 11]);
    // Any integer: of a loop over u32, or an i64 of a model.
    assert_eq!(read(grid.select(1u32, 2u8))?, read(grid.select(1usize, 2i64))?);

    let texts = [
        (grid.select(-3, 0), "select(self i32[3, 4]): axis -3 does not exist: the tensor has 2 axes"),
        (grid.select(0, -4), "select(self i32[3, 4]): index -4 does not exist on axis 0 of size 3"),
        (grid.slice(-1, -5..), "slice(self i32[3, 4]): range -5..4 does not lie within axis 1 of size 4"),
        (grid.slice(-1, ..-5), "slice(self i32[3, 4]): range 0..-5 does not lie within axis 1 of size 4"),
        (grid.slice(-1, -1..1), "slice(self i32[3, 4]): range 3..1 ends before it starts"),
        (
            grid.slice(0, ..i64::MIN),
            "slice(self i32[3, 4]): range 0..-9223372036854775808 does not lie within axis 0 of size 3",
        ),
        (grid.unsqueeze(-4), "unsqueeze(self i32[3, 4]): axis -4 does not exist: the tensor has 2 axes"),
        (grid.unsqueeze(3), "unsqueeze(self i32[3, 4]): axis 3 does not exist: the tensor has 2 axes"),
        (grid.permute(&[-1, 1]), "permute(self i32[3, 4]): [-1, 1] is not a permutation of the 2 axes"),
        (grid.permute(&[0, -3]), "permute(self i32[3, 4]): [0, -3] is not a permutation of the 2 axes"),
    ];
    for (result, text) in texts {
        assert_eq!(result.map_err(|error| error.to_string()).unwrap_err(), text);
    }
    Ok(())
}

#[test]
fn parts_lie_beside_each_other() -> Outcome {
    let device = Device::open(0)?;
    let sizes = |parts: Parts| parts.map(|part| part.numel()).collect::<Vec<_>>();
    let line = |count| Tensor::arange(&device, 0, count, 1, DType::I32);
    // The examples of PyTorch's documentation of chunk.
    assert_eq!(sizes(line(11)?.chunk(0, 6)?), [2, 2, 2, 2, 2, 1]);
    assert_eq!(sizes(line(12)?.chunk(0, 6)?), [2, 2, 2, 2, 2, 2]);
    assert_eq!(sizes(line(13)?.chunk(0, 6)?), [3, 3, 3, 3, 1]);
    assert_eq!(sizes(line(5)?.split(0, 2)?), [2, 2, 1]);
    assert_eq!(sizes(line(5)?.split(-1, usize::MAX)?), [5]);
    let nothing = Tensor::zeros(&device, [0, 2], DType::I32)?;
    assert_eq!(sizes(nothing.chunk(0, 3)?), [0, 0, 0]);
    assert_eq!(sizes(nothing.split(0, 3)?), [0]);
    assert!(sizes(nothing.iter()?).is_empty());

    let grid = grid(&device)?;
    let rows: Vec<_> = grid.iter()?.map(|row| row.to_vec::<i32>()).collect::<Result<_, _>>()?;
    assert_eq!(rows, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]);
    let columns: Vec<_> =
        grid.unbind(-1)?.rev().map(|column| column.to_vec::<i32>()).collect::<Result<_, _>>()?;
    assert_eq!(columns, [[3, 7, 11], [2, 6, 10], [1, 5, 9], [0, 4, 8]]);
    let mut halves = grid.split(1, 3)?;
    assert_eq!((halves.len(), halves.nth(1).map(|half| half.dims().to_vec())), (2, Some(vec![3, 1])));
    assert_eq!((halves.len(), halves.next().is_none(), halves.next_back().is_none()), (0, true, true));
    // They are views, so a loop writes to the tensor.
    for (number, mut row) in grid.iter()?.enumerate() {
        row.slice(0, -1..)?.fill_in_place(-1)?;
        row.mul_in_place(number)?;
    }
    assert_eq!(grid.to_vec::<i32>()?, [0, 0, 0, 0, 4, 5, 6, -1, 16, 18, 20, -2]);

    // More parts than any memory holds.
    let endless = Tensor::ones(&device, [1], DType::F32)?.broadcast_to([usize::MAX / 2])?;
    assert_eq!(endless.iter()?.len(), usize::MAX / 2);
    assert_eq!(endless.split(0, 2)?.next_back().map(|part| part.numel()), Some(1));

    let single = Tensor::ones(&device, (), DType::F32)?;
    let texts = [
        (
            grid.split(0, 0),
            "split(self i32[3, 4]): the number of parts, and of indices in each, must not be zero",
        ),
        (
            grid.chunk(0, 0),
            "chunk(self i32[3, 4]): the number of parts, and of indices in each, must not be zero",
        ),
        (grid.unbind(2), "unbind(self i32[3, 4]): axis 2 does not exist: the tensor has 2 axes"),
        (single.iter(), "iter(self f32[]): axis 0 does not exist: the tensor has 0 axes"),
    ];
    for (result, text) in texts {
        assert_eq!(result.map_err(|error| error.to_string()).unwrap_err(), text);
    }
    Ok(())
}

#[test]
fn writing_through_views() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let mut column = grid.select(1, 1)?;
    column.copy_from_slice(&[-1, -2, -3])?;
    ops::add(&grid.select(1, 2)?, 100).run_into(&mut grid.select(1, 3)?)?;
    grid.slice(0, 0..1)?.fill_in_place(7)?;
    assert_eq!(grid.to_vec::<i32>()?, [7, 7, 7, 7, 4, -2, 6, 106, 8, -3, 10, 110]);
    let mut middle = grid.slice(1, 1..3)?;
    middle.mul_in_place(0)?;
    assert_eq!(grid.to_vec::<i32>()?, [7, 0, 0, 7, 4, 0, 0, 106, 8, 0, 0, 110]);
    grid.slice(0, 2..3)?.copy_from_slice(&[1, 2, 3, 4])?;
    assert_eq!(grid.to_vec::<i32>()?, [7, 0, 0, 7, 4, 0, 0, 106, 1, 2, 3, 4]);
    Ok(())
}

#[test]
fn reading_views_into_slices() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let (mut row, mut column) = ([0; 4], [0; 3]);
    grid.select(0, 1)?.copy_to_slice(&mut row)?;
    grid.select(1, 1)?.copy_to_slice(&mut column)?;
    assert_eq!((row, column), ([4, 5, 6, 7], [1, 5, 9]));
    // A device takes every byte but 0 for true.
    let truths = Tensor::from_slice(&device, &[false, true, false, true], [2, 2])?;
    let mut read = [true; 4];
    truths.copy_to_slice(&mut read)?;
    assert_eq!(read, [false, true, false, true]);
    truths.transpose(0, 1)?.copy_to_slice(&mut read)?;
    assert_eq!(read, [false, false, true, true]);
    grid.slice(0, 3..)?.copy_to_slice::<i32>(&mut [])?;
    Ok(())
}

#[test]
fn computing_with_views() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let turned = grid.transpose(0, 1)?;
    let sum = turned.add(&grid.select(1, 0)?)?;
    assert!(sum.is_contiguous());
    assert_eq!(sum.to_vec::<i32>()?, [0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19]);
    assert_eq!(turned.cast(DType::F16)?.to_vec::<f16>()?[1], f16::from_f32(4.0));
    Ok(())
}

#[test]
fn types_that_the_device_does_not_copy_are_gathered_on_the_host() -> Outcome {
    let device = Device::open(0)?;
    let value = |re: f32| Complex::new(f16::from_f32(re), f16::ZERO);
    let values: Vec<_> = (0..6).map(|v| value(v as f32)).collect();
    let turned = Tensor::from_slice(&device, &values, [2, 3])?.transpose(0, 1)?;
    let expected = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0].map(value);
    assert_eq!(turned.to_vec::<Complex<f16>>()?, expected);
    assert_eq!(turned.copy()?.to_vec::<Complex<f16>>()?, expected);
    assert_eq!(turned.slice(0, 1..3)?.to_vec::<Complex<f16>>()?, expected[2..]);
    // Nor does it copy tensors of more than eight axes.
    let mut shape = [1; 9];
    (shape[0], shape[8]) = (2, 3);
    let turned = Tensor::from_slice(&device, &[0i32, 1, 2, 3, 4, 5], &shape[..])?.transpose(0, 8)?;
    assert_eq!(turned.to_vec::<i32>()?, [0, 3, 1, 4, 2, 5]);
    assert_eq!(turned.copy()?.to_vec::<i32>()?, [0, 3, 1, 4, 2, 5]);
    Ok(())
}

#[test]
fn views_that_do_not_exist_are_refused_with_a_reason() -> Outcome {
    let device = Device::open(0)?;
    let grid = grid(&device)?;
    let is_range = |result: Result<Tensor, Error>| {
        matches!(result, Err(Error::View { cause: LayoutError::Range { axis: 1, size: 4, .. }, .. }))
    };
    assert!(is_range(grid.slice(1, 5..)));
    assert!(is_range(grid.slice(1, ..=4)));
    assert!(is_range(grid.slice(1, ..=usize::MAX)));
    assert!(is_range(grid.slice(1, (std::ops::Bound::Excluded(usize::MAX), std::ops::Bound::Unbounded))));
    assert!(is_range(grid.slice_step(1, 2..=4, 2)));
    assert!(is_range(grid.split_at(1, 5).map(|(first, _)| first)));
    let texts = [
        (grid.slice(2, ..), "slice(self i32[3, 4]): axis 2 does not exist: the tensor has 2 axes"),
        (grid.slice_step(0, .., 0), "slice_step(self i32[3, 4]): the step of a slice must not be zero"),
        (
            grid.transpose(0, 1)?.flatten_all(),
            "flatten_all(self i32[4, 3]): [4, 3] with strides [1, 4] cannot be viewed as [12] without a copy; make it contiguous first",
        ),
    ];
    for (result, text) in texts {
        assert_eq!(result.map_err(|error| error.to_string()).unwrap_err(), text);
    }
    let error = grid.item::<i32>().unwrap_err().to_string();
    assert_eq!(error, "item(self i32[3, 4]): the tensor has 12 elements, not one; select one first");
    let error = grid.select(0, 0)?.select(0, 0)?.item::<f32>();
    assert!(matches!(error, Err(Error::ElementType { .. })), "{error:?}");
    Ok(())
}

/// Through a view, the processor that writes results there does not know unsigned integers of more than a byte.
#[test]
fn unsigned_integers_are_written_through_views_by_their_bits() -> Outcome {
    fn check<T: Element + PartialEq + std::fmt::Debug>(values: [T; 6], of_scalar: T) -> Outcome {
        let device = Device::open(0)?;
        let all = Tensor::from_slice(&device, &values, [2, 3])?;
        let [a, b, c, d, e, f] = values;
        let grid = Tensor::full(&device, [3, 2], 0, DType::I64)?.cast(T::DTYPE)?;
        let mut turned = grid.transpose(0, 1)?;
        turned.copy_from(&all)?;
        assert_eq!(grid.to_vec::<T>()?, [a, d, b, e, c, f], "the same type");
        turned.copy_from_slice(&[f, e, d, c, b, a])?;
        assert_eq!(grid.to_vec::<T>()?, [f, c, e, b, d, a], "from the host");
        // Broadcast and converted, to a type of which the largest numbers have no signed counterpart.
        let row = Tensor::from_slice(&device, &[-1.0f32, 0.5, 7.9], [3])?;
        let one = row.cast(T::DTYPE)?.to_vec::<T>()?;
        turned.copy_from(&row)?;
        assert_eq!(grid.to_vec::<T>()?, [one[0], one[0], one[1], one[1], one[2], one[2]], "converted");
        if turned.fill_in_place(Scalar::new(of_scalar)).is_ok() {
            assert_eq!(grid.to_vec::<T>()?, [of_scalar; 6], "filled");
        }
        // As the output of an operator, and in place.
        let small = Tensor::from_slice(&device, &[1i32, 2, 3, 4, 5, 6], [2, 3])?;
        ops::add(&small, 10).run_into(&mut turned)?;
        let wide = || grid.cast(DType::I64)?.to_vec::<i64>();
        assert_eq!(wide()?, [11, 14, 12, 15, 13, 16]);
        ops::add(&small, 100).policy(Policy::Delegate).run_into(&mut turned)?;
        assert_eq!(wide()?, [101, 104, 102, 105, 103, 106]);
        // Nothing beside the view changes.
        let mut column = grid.select(1, 0)?;
        column.copy_from(&Tensor::from_slice(&device, &[of_scalar; 3], [3])?)?;
        assert_eq!(grid.select(1, 0)?.to_vec::<T>()?, [of_scalar; 3]);
        assert_eq!(grid.select(1, 1)?.cast(DType::I64)?.to_vec::<i64>()?, [104, 105, 106]);
        Ok(())
    }

    check([1u16, 2, 0x8000, 0xFFFF, 5, 6], 0xFFFE)?;
    check([1u32, 2, 1 << 31, u32::MAX, 5, 6], u32::MAX - 1)?;
    check([1u64, 2, 1 << 63, u64::MAX, 5, 6], u64::MAX - 1)
}

#[test]
fn operators_never_write_unsigned_integers_through_a_view() -> Outcome {
    use cann_stubs::control;

    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    if device.product() == Some(Product::Ascend950) {
        support::skipped("an Ascend950 writes them");
        return Ok(());
    }
    let small = Tensor::from_slice(&device, &[1i32, 2, 3, 4, 5, 6], [2, 3])?;
    let mut whole = small.cast(DType::U16)?;
    let mut turned = Tensor::full(&device, [3, 2], 0, DType::I32)?.cast(DType::U16)?.transpose(0, 1)?;
    // What is written by each launch.
    let written = |work: &mut dyn FnMut() -> Outcome| {
        let mut outcome = Ok(());
        let records = control::record(|| outcome = work());
        let last = |record: &control::Record| {
            let name = if record.function.starts_with("aclnnInplace") { "self" } else { "out" };
            let output = record.operands.iter().find(|operand| operand.name == name);
            (record.function, output.and_then(|output| output.dtype))
        };
        outcome.map(|()| records.iter().map(last).collect::<Vec<_>>())
    };
    let (copy, signed) = ("aclnnInplaceCopy", Some(DType::I16));
    assert_eq!(written(&mut || turned.copy_from(&whole))?, [(copy, signed)]);
    assert_eq!(written(&mut || turned.copy_from(&small))?, [(copy, Some(DType::U16)), (copy, signed)]);
    if !support::skips_on(&device, Product::Ascend310P, "it fills no u16") {
        assert_eq!(written(&mut || turned.fill_in_place(7u16))?, [("aclnnInplaceFillScalar", signed)]);
    }
    let into = written(&mut || ops::add(&small, 1).run_into(&mut turned))?;
    assert_eq!(into, [("aclnnAdds", Some(DType::U16)), (copy, signed)]);
    assert_eq!(written(&mut || whole.copy_from(&small))?, [(copy, Some(DType::U16))], "it is contiguous");

    assert_eq!(turned.cast(DType::I32)?.to_vec::<i32>()?, [2, 3, 4, 5, 6, 7]);
    Ok(())
}

/// The windows are those of Rust's slices.
#[test]
fn windows_are_views_of_neighbours() -> Result<(), Error> {
    let device = Device::open(0)?;
    let elements: Vec<i32> = (0..24).collect();
    let block = Tensor::from_slice(&device, &elements, [4, 6])?;
    for (size, step) in [(1, 1), (2, 1), (3, 2), (4, 3), (6, 1), (6, 9), (2, 5)] {
        let windows = block.windows(1, size, step)?;
        let expected: Vec<i32> = elements
            .chunks(6)
            .flat_map(|row| row.windows(size).step_by(step).flatten().copied().collect::<Vec<_>>())
            .collect();
        assert!(windows.shares_buffer_with(&block));
        assert_eq!((windows.dims()[0], windows.dims()[2]), (4, size));
        assert_eq!(windows.to_vec::<i32>()?, expected, "{size} {step}");
        let sums: Vec<i64> =
            expected.chunks(size).map(|window| window.iter().map(|x| i64::from(*x)).sum()).collect();
        assert_eq!(windows.sum(-1)?.to_vec::<i64>()?, sums);
    }
    let down = block.slice(1, 1..3)?.windows(0, 3, 1)?;
    assert_eq!((down.dims(), down.at((1, 0))?.to_vec::<i32>()?), (&[2, 2, 3][..], vec![7, 13, 19]));

    for (axis, size, step) in [(2, 1, 1), (0, 5, 1), (0, 0, 1), (0, 1, 0)] {
        let refused = block.windows(axis, size, step);
        assert!(matches!(refused, Err(Error::View { view: "windows", .. })), "{refused:?}");
    }
    assert!(matches!(block.windows(0, 2, 1)?.fill_in_place(0), Err(Error::SharedElements { .. })));
    block.windows(1, 2, 3)?.fill_in_place(-1)?;
    assert_eq!(block.select(0, 0)?.to_vec::<i32>()?, [-1, -1, 2, -1, -1, 5]);
    Ok(())
}

#[test]
fn what_at_refuses_is_told_of_the_whole_tensor() -> Result<(), Error> {
    let device = Device::open(0)?;
    let block = Tensor::zeros(&device, [2, 3, 4], DType::F32)?;
    let told = |view: Result<Tensor, Error>| view.err().map(|error| error.to_string()).unwrap_or_default();
    let of = "at(self f32[2, 3, 4]): ";
    assert_eq!(told(block.at((0, 3))), format!("{of}index 3 does not exist on axis 1 of size 3"));
    assert_eq!(told(block.at((0, 1, 2..9))), format!("{of}range 2..9 does not lie within axis 2 of size 4"));
    assert_eq!(
        told(block.at((NewAxis, Ellipsis, -5))),
        format!("{of}index -5 does not exist on axis 2 of size 4")
    );
    assert_eq!(told(block.at((step(.., 0),))), format!("{of}the step of a slice must not be zero"));
    assert_eq!(block.at((1,))?.dims(), [3, 4]);
    Ok(())
}
