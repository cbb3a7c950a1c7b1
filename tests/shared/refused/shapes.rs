//! Shapes, views and ranges that do not exist or do not go together.

use aclnn::product::Product;
use aclnn::{Complex, DType, Device, Error, Tensor, f16, ops};

use super::{Outcome, floats, says};
use crate::support;

#[test]
fn shapes_that_do_not_go_together() -> Outcome {
    let device = Device::open(0)?;
    let a = floats(&device)?;
    let b = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    let error = says(a.add(&b), &["add(self f32[2, 3], other f32[2])", "do not broadcast", "axis 1"]);
    assert!(matches!(error, Error::Broadcast { .. }));

    let mut out = Tensor::full(&device, [3], 9, DType::F32)?;
    says(ops::add(&a, 1).run_into(&mut out), &["add", "result has shape [2, 3]", "out has [3]"]);
    assert_eq!(out.to_vec::<f32>()?, [9.0; 3]);
    let mut row = Tensor::full(&device, [3], 9, DType::F32)?;
    says(row.add_in_place(&a), &["add_in_place(self f32[3], other f32[2, 3])", "self has [3]"]);
    says(row.copy_from(&a), &["copy_from", "source f32[2, 3]"]);
    assert_eq!(row.to_vec::<f32>()?, [9.0; 3]);

    let deep = Tensor::zeros(&device, [1, 1, 1, 1, 1, 1, 1, 1], DType::F32)?.unsqueeze(0)?;
    says(deep.add(1), &["add", "self has 9 axes", "at most 8"]);
    says(deep.cast(DType::F16), &["cast", "9 axes"]);
    assert_eq!(deep.to_vec::<f32>()?, [0.0]);
    Ok(())
}

#[test]
fn outputs_that_overlap_their_operands() -> Outcome {
    let device = Device::open(0)?;
    let all = Tensor::from_slice(&device, &[1i32, 2, 3, 4], [4])?;
    let (mut front, back) = (all.slice(0, 0..3)?, all.slice(0, 1..4)?);
    let error = says(
        front.add_in_place(&back),
        &["add_in_place(self i32[3], other i32[3])", "self overlaps other partly"],
    );
    assert!(matches!(error, Error::Overlap { .. }));
    says(ops::mul(&back, 2).run_into(&mut front), &["mul", "out overlaps self"]);
    says(front.copy_from(&back), &["copy_from", "overlaps source"]);
    let square = all.reshape([2, 2])?;
    says(ops::mul(&square, 2).run_into(&mut square.transpose(0, 1)?), &["mul", "out overlaps self"]);
    let mut spread = Tensor::zeros(&device, [1], DType::I32)?.broadcast_to([3])?;
    says(spread.fill_in_place(1), &["fill_in_place", "share their memory"]);
    says(spread.add_in_place(&back), &["add_in_place", "elements of self share their memory"]);
    says(spread.copy_from_slice(&[1, 2, 3]), &["copy_from", "share"]);
    assert_eq!(all.to_vec::<i32>()?, [1, 2, 3, 4]);
    assert_eq!(spread.to_vec::<i32>()?, [0; 3]);

    // Views between each other share no element.
    let grid = Tensor::from_slice(&device, &[1i32, 2, 3, 4, 5, 6, 7, 8], [2, 4])?;
    let (mut left, right) = (grid.slice(1, 0..2)?, grid.slice(1, 2..4)?);
    left.copy_from(&right)?;
    assert_eq!(grid.to_vec::<i32>()?, [3, 4, 3, 4, 7, 8, 7, 8]);
    let mut even = all.slice_step(0, 0..4, 2)?;
    even.add_in_place(&all.slice_step(0, 1..4, 2)?)?;
    assert_eq!(all.to_vec::<i32>()?, [3, 2, 7, 4]);
    Ok(())
}

#[test]
fn ranges_that_do_not_exist() -> Outcome {
    let device = Device::open(0)?;
    let error = says(
        Tensor::arange(&device, 4, 0, 1, DType::F32),
        &["arange(start i32, end i32, step i32)", "leads away"],
    );
    assert!(matches!(error, Error::Range { .. }));
    says(Tensor::arange(&device, 0, 4, 0.5, DType::I32), &["arange", "step 0.5", "zero"]);
    says(Tensor::range_inclusive(&device, 0, 4, f32::NAN, DType::F32), &["range_inclusive", "not a number"]);
    says(
        Tensor::arange(&device, 0, Complex::new(1.0f32, 1.0), 1, DType::F32),
        &["end is 1+1i (c64)", "real"],
    );
    says(Tensor::arange(&device, 0, u64::MAX, 1, DType::F32), &["exceeds the i64"]);
    let countless = "more elements than can be counted";
    says(Tensor::arange(&device, 0.0, 1e300, 1e-30, DType::F32), &["arange(start f64", countless]);
    says(
        Tensor::range_inclusive(&device, 0, f32::INFINITY, 2, DType::F16),
        &["from 0 to inf by 2", countless],
    );
    says(
        Tensor::arange(&device, 0, 1i64 << 60, 1, DType::I64),
        &["arange(start i32", "larger than any memory"],
    );
    Ok(())
}

#[test]
fn views_that_do_not_exist() -> Outcome {
    let device = Device::open(0)?;
    let a = floats(&device)?;
    let error = says(a.slice(2, 0..1), &["slice(self f32[2, 3])", "axis 2 does not exist"]);
    assert!(matches!(error, Error::View { .. }));
    says(a.slice(1, 2..4), &["range 2..4", "size 3"]);
    says(a.select(1, 3), &["select(self f32[2, 3])", "index 3 does not exist on axis 1 of size 3"]);
    says(a.slice_step(1, 0..3, 0), &["step"]);
    says(a.reshape([4, 2]), &["[4, 2]", "numbers of elements differ"]);
    says(a.transpose(0, 1)?.reshape([6]), &["reshape", "contiguous"]);
    says(a.broadcast_to([2]), &["broadcast_to"]);
    Ok(())
}

#[test]
fn more_elements_than_memory_has() -> Outcome {
    let device = Device::open(0)?;
    let pair = Tensor::from_slice(&device, &[1.0f32, 2.0], [2, 1])?;
    let error = says(
        pair.broadcast_to([1, 1, 1, 1, 1, 1, 1, 2, 1 << 61])?.to_bytes(),
        &["f32[1, 1, 1, 1, 1, 1, 1, 2, 2305843009213693952]", "larger than any memory"],
    );
    assert!(matches!(error, Error::Tensor { .. }));
    let one = Tensor::from_slice(&device, &[Complex::new(f16::ONE, f16::ONE)], [1])?;
    says(one.broadcast_to([1 << 62])?.to_bytes(), &["c32", "larger than any memory"]);
    says(one.broadcast_to([1 << 62])?.copy(), &["c32", "larger than any memory"]);
    let error = says(one.broadcast_to([1 << 55])?.to_bytes(), &["144115188075855872 bytes", "host"]);
    assert!(matches!(error, Error::HostMemory { bytes: 0x200_0000_0000_0000 }));
    Ok(())
}

#[test]
fn axes_that_the_library_cannot_count() -> Outcome {
    let device = Device::open(0)?;
    let error = says(Tensor::zeros(&device, [0, usize::MAX], DType::F32), &["f32[0, ", "i64"]);
    assert!(matches!(error, Error::Tensor { .. }));
    let one = Tensor::from_slice(&device, &[1.0f32], [1])?;
    says(one.broadcast_to([1 << 63]), &["f32[9223372036854775808]", "i64"]);
    says(one.broadcast_to([1 << 32, 1 << 31]), &["f32[4294967296, 2147483648]", "i64"]);
    says(Tensor::linspace(&device, 0, 1, usize::MAX, DType::F32), &["f32[18446744073709551615]"]);
    let empty = Tensor::zeros(&device, [0, 1 << 62], DType::F32)?;
    assert!(empty.add(1)?.to_vec::<f32>()?.is_empty());
    // NumPy refuses these too: "array is too big".
    let refusals = [
        Tensor::zeros(&device, [0, 1 << 62, 1 << 62], DType::F32),
        empty.reshape([1 << 62, 0, 1 << 62]),
        empty.windows(1, 1 << 61, 1),
        Tensor::stack(&[&empty, &empty], 0),
    ];
    for refused in refusals {
        says(refused, &["empty axes", "i64"]);
    }
    Ok(())
}

/// Numbers for which the sizes of a result cannot be computed are refused like others that do not fit.
#[test]
fn numbers_beyond_the_sizes_of_any_tensor() -> Outcome {
    const MOST: usize = i64::MAX as usize;
    let device = Device::open(0)?;
    let zeros = |shape: &[usize]| Tensor::zeros(&device, shape, DType::F32);
    let (image, weight) = (zeros(&[1, 1, 4, 4])?, zeros(&[1, 1, 2, 2])?);
    let (tall, wide) = (zeros(&[MOST, 0])?, zeros(&[0, MOST])?);
    let (columns, many) = (zeros(&[4, 4])?, usize::MAX);
    let precision = support::precision(&device);
    let convolution = ops::conv2d(&image, &weight).precision(precision);
    says(convolution.clone().padding([many, 0]).run(), &["conv2d", "has no place"]);
    says(convolution.stride([many, 1]).run(), &["conv2d", "has no place"]);
    let transposed = ops::conv_transpose2d(&image, &weight).precision(precision);
    says(transposed.clone().padding([0, many]).run(), &["has no place"]);
    says(transposed.groups(many).run(), &["groups"]);
    says(ops::im2col(&image, [1, 1]).padding([many, 0]).run(), &["im2col", "has no place"]);
    says(ops::col2im(&columns, [2, 2], [1, 1]).padding([many, 0]).run(), &["col2im", "0 positions"]);
    let given = image.cast(support::multiplied(&device))?;
    says(ops::max_pool2d(&given, [many, 2]).padding([many, 0]).run(), &["max_pool2d", "has no place"]);
    says(columns.pad(&[(many, many)], ops::PadMode::Constant(0.into())), &["pad", "larger than any memory"]);
    says(columns.repeat(&[many, many]), &["repeat", "larger than any memory"]);
    says(columns.repeat_interleave(many, 0), &["repeat_interleave", "larger than any memory"]);
    says(Tensor::cat(&[&tall, &tall, &tall], 0), &["cat", "i64"]);
    says(tall.pdist(2.0), &["pdist", "larger than any memory"]);
    if !support::skips_on(&device, Product::Ascend310P, "it has no distances of two lists of rows") {
        says(tall.cdist(&tall, 2.0), &["cdist", "larger than any memory"]);
    }
    says(ops::lstm_cell(&wide, &wide, &wide).run().map(drop), &["lstm_cell", "four gates"]);
    Ok(())
}

/// The library would refuse them too, after the result was allocated.
#[test]
fn more_axes_than_operators_take() -> Outcome {
    let device = Device::open(0)?;
    for axes in [8, 9] {
        let shape = vec![1usize; axes];
        let mut a = Tensor::from_slice(&device, &[1.5f32], &shape[..])?;
        let b = Tensor::from_slice(&device, &[0.5f32], 1)?;
        let mut small = b.copy()?;
        let outcomes = [
            ("add", a.add(&b).map(drop)),
            ("add", b.add(&a).map(drop)),
            ("mul", a.mul(2).map(drop)),
            ("add_in_place", a.add_in_place(1)),
            ("add", ops::add(&b, 1).run_into(&mut a)),
            ("neg", a.neg().map(drop)),
            ("cast", a.cast(DType::I32).map(drop)),
            ("full", Tensor::full(&device, &shape[..], 1, DType::F32).map(drop)),
            ("zeros_like", a.zeros_like().map(drop)),
            ("fill_in_place", a.fill_in_place(1)),
            ("copy_from", a.copy_from(&b)),
            ("copy_from", small.copy_from(&a)),
        ];
        for (index, (name, outcome)) in outcomes.into_iter().enumerate() {
            match outcome {
                // The shape of an output of fewer axes is another matter.
                Err(Error::OutputShape { .. }) if axes == 8 && [4, 11].contains(&index) => {}
                outcome if axes == 8 => outcome?,
                Err(error @ Error::Rank { rank: 9, .. }) => {
                    assert!(error.to_string().starts_with(&format!("{name}(")), "{error}");
                }
                other => unreachable!("{index}, {name}: {other:?}"),
            }
        }
        assert_eq!(a.to_vec::<f32>()?, [if axes == 8 { 0.5 } else { 1.5 }]);
    }
    Ok(())
}
