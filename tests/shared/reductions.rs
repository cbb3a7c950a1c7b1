//! Reductions, scans and histograms through the safe layer: axes, types, casts that are planned, what is refused. What they
//! compute is tested with the emulator; numbers here are small enough to be added by hand.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, IntoAxes, Result, Tensor, bf16, f16, ops};

use crate::support;

/// 0, 1, 2, … in a shape.
fn counting(device: &Device, shape: [usize; 3]) -> Result<Tensor> {
    let numbers: Vec<f32> = (0..shape.iter().product::<usize>()).map(|number| number as f32).collect();
    Tensor::from_slice(device, &numbers, shape)
}

#[test]
fn axes_are_one_several_or_all_and_may_stay() -> Result<()> {
    let device = Device::open(0)?;
    let x = counting(&device, [2, 3, 2])?;
    let sums = |axes: &dyn Fn() -> Result<Tensor>| -> Result<(Vec<usize>, Vec<f32>)> {
        let sum = axes()?;
        Ok((sum.dims().to_vec(), sum.to_vec()?))
    };
    assert_eq!(sums(&|| x.sum(-1))?, (vec![2, 3], vec![1.0, 5.0, 9.0, 13.0, 17.0, 21.0]));
    assert_eq!(sums(&|| x.sum(1u8))?, (vec![2, 2], vec![6.0, 9.0, 24.0, 27.0]));
    assert_eq!(sums(&|| x.sum([0, 2]))?, (vec![3], vec![14.0, 22.0, 30.0]));
    assert_eq!(sums(&|| x.sum(vec![0, 2]))?, (vec![3], vec![14.0, 22.0, 30.0]));
    assert_eq!(sums(&|| x.sum([2, 0]))?, sums(&|| x.sum([0, -1]))?);
    assert_eq!(sums(&|| x.sum(&vec![0usize, 1, 2][..]))?, (vec![], vec![66.0]));
    assert_eq!(sums(&|| x.sum(..))?, (vec![], vec![66.0]));
    assert_eq!(sums(&|| x.sum((..).into_axes()))?, (vec![], vec![66.0]));
    assert_eq!(sums(&|| ops::sum(&x).keep_dims().run())?, (vec![1, 1, 1], vec![66.0]));
    assert_eq!(
        sums(&|| ops::max(&x).axes(1).keep_dims().run())?,
        (vec![2, 1, 2], vec![4.0, 5.0, 10.0, 11.0])
    );
    // A view is reduced by its own axes.
    let turned = x.transpose(0, 2)?.slice(0, 1..)?;
    assert_eq!(sums(&|| turned.sum([0, 1]))?, (vec![2], vec![9.0, 27.0]));
    let single = Tensor::from_slice(&device, &[7.0f32], ())?;
    assert_eq!(sums(&|| single.sum(..))?, (vec![], vec![7.0]));
    assert_eq!(single.argmax(..)?.to_vec::<i64>()?, [0]);
    assert_eq!(single.cummax(0)?.1.to_vec::<i64>()?, [0]);
    assert_eq!(single.max_dim(..)?.0.to_vec::<f32>()?, [7.0]);
    Ok(())
}

#[test]
fn integers_are_added_in_i64_and_averaged_in_f32() -> Result<()> {
    let device = Device::open(0)?;
    let bytes = Tensor::from_slice(&device, &[100u8, 100, 100, 1], [2, 2])?;
    assert_eq!(bytes.sum(..)?.to_vec::<i64>()?, [301]);
    assert_eq!(bytes.prod(1)?.to_vec::<i64>()?, [10_000, 100]);
    assert_eq!(bytes.cumsum(1)?.to_vec::<i64>()?, [100, 200, 100, 101]);
    assert_eq!(ops::sum(&bytes).dtype(DType::U8).run()?.to_vec::<u8>()?, [45]);
    assert_eq!(bytes.mean(0)?.to_vec::<f32>()?, [100.0, 50.5]);
    assert_eq!(bytes.var(1)?.to_vec::<f32>()?, [0.0, 4900.5]);
    assert_eq!(bytes.max(0)?.to_vec::<u8>()?, [100, 100]);
    let truths = Tensor::from_slice(&device, &[true, true, false], [3])?;
    assert_eq!(truths.sum(..)?.to_vec::<i64>()?, [2]);
    assert_eq!(truths.mean(..)?.to_vec::<f32>()?, [2.0 / 3.0]);
    assert_eq!(truths.argmax(0)?.to_vec::<i64>()?, [0]);
    let halves = Tensor::from_slice(&device, &[f16::from_f32(1.0); 4096], [4096])?;
    assert_eq!(halves.sum(..)?.to_vec::<f16>()?, [f16::from_f32(4096.0)]);
    assert_eq!(ops::mean(&halves).dtype(DType::F32).run()?.to_vec::<f32>()?, [1.0]);
    Ok(())
}

#[test]
fn plans_cast_what_an_operator_does_not_take() -> Result<()> {
    use DType::{BF16, Bool, F16, F32, I16, I32, U16};
    let device = Device::open(0)?;
    let of = |dtype| Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0, 3.0], [2, 2])?.cast(dtype);
    let plan = |operation: ops::Reduction<'_, 1, false>| operation.plan().map(|plan| plan.to_string());
    assert_eq!(plan(ops::sum(&of(F32)?).axes(0))?, "sum: ReduceSum f32 → f32 [2]");
    assert_eq!(plan(ops::sum(&of(U16)?))?, "sum: Cast self u16→i32; ReduceSum i32 → i64 []");
    assert_eq!(plan(ops::mean(&of(Bool)?))?, "mean: Cast self bool→i32; Mean i32 → f32 []");
    assert_eq!(plan(ops::any(&of(U16)?).keep_dims())?, "any: Cast self u16→bool; Any bool → bool [1, 1]");
    assert_eq!(plan(ops::max(&of(F32)?).dtype(F16))?, "max: Amax f32 → f32 []; Cast result f32→f16");
    let pair = |operation: ops::Reduction<'_, 2, false>| operation.plan().map(|plan| plan.to_string());
    let is_950 = device.product() == Some(Product::Ascend950);
    let expected = match is_950 {
        true => "max_dim: MaxDim i32 → i32 [2]",
        false => "max_dim: Cast self i32→i64; MaxDim i64 → i64 [2]; Cast result i64→i32",
    };
    assert_eq!(pair(ops::max_dim(&of(I32)?).axes(0))?, expected);
    let (values, positions) = of(I16)?.min_dim(1)?;
    assert_eq!((values.to_vec::<i16>()?, positions.to_vec::<i64>()?), (vec![1, 3], vec![0, 1]));
    if support::has_bf16(&device) {
        let expected = match is_950 {
            true => "var_mean: VarMean bf16 → bf16 []",
            false => "var_mean: Cast self bf16→f32; VarMean f32 → f32 []; Cast result f32→bf16",
        };
        assert_eq!(ops::var_mean(&of(BF16)?).plan()?.to_string(), expected);
        let (var, mean) = ops::var_mean(&of(BF16)?).correction(0).run()?;
        assert_eq!(
            (var.to_vec::<bf16>()?, mean.to_vec::<bf16>()?),
            (vec![bf16::from_f32(1.25)], vec![bf16::from_f32(2.5)])
        );
    }
    assert_eq!(of(F32)?.prod([0, 1])?.to_vec::<f32>()?, [24.0]);
    let cube = counting(&device, [2, 2, 2])?;
    assert_eq!(cube.prod([0, 2])?.to_vec::<f32>()?, [0.0, 2.0 * 3.0 * 6.0 * 7.0]);
    assert_eq!(ops::prod(&cube).axes([1, 2]).keep_dims().run()?.dims(), [2, 1, 1]);
    Ok(())
}

#[test]
fn positions_among_all_elements_are_counted_in_order() -> Result<()> {
    let device = Device::open(0)?;
    let x = Tensor::from_slice(&device, &[1.0f32, 9.0, 2.0, 9.0, 0.0, 3.0], [2, 3])?;
    assert_eq!(x.argmax(..)?.to_vec::<i64>()?, [1]);
    assert_eq!(x.transpose(0, 1)?.argmax(..)?.to_vec::<i64>()?, [1]);
    assert_eq!(x.transpose(0, 1)?.argmin(..)?.to_vec::<i64>()?, [3]);
    let kept = ops::argmax(&x).keep_dims().run()?;
    assert_eq!((kept.dims(), kept.to_vec::<i64>()?), (&[1, 1][..], vec![1]));
    assert_eq!(ops::argmin(&x).axes(0).dtype(DType::I32).run()?.to_vec::<i32>()?, [0, 1, 0]);
    let nan = Tensor::from_slice(&device, &[1.0, f32::NAN, 3.0, f32::NAN], [4])?;
    assert_eq!((nan.argmax(0)?.to_vec::<i64>()?, nan.argmin(0)?.to_vec::<i64>()?), (vec![1], vec![1]));
    Ok(())
}

#[test]
fn tensors_without_elements_have_the_results_of_an_empty_sum() -> Result<()> {
    let device = Device::open(0)?;
    let none = Tensor::from_slice::<f32>(&device, &[], [2, 0])?;
    assert_eq!(none.sum(1)?.to_vec::<f32>()?, [0.0, 0.0]);
    assert_eq!(none.prod(1)?.to_vec::<f32>()?, [1.0, 1.0]);
    assert!(none.mean(..)?.to_vec::<f32>()?[0].is_nan());
    assert_eq!(none.logsumexp(1)?.to_vec::<f32>()?, [f32::NEG_INFINITY; 2]);
    assert_eq!((none.all(..)?.to_vec::<bool>()?, none.any(..)?.to_vec::<bool>()?), (vec![true], vec![false]));
    assert_eq!(none.max(0)?.dims(), [0]);
    assert_eq!(none.softmax(1)?.dims(), [2, 0]);
    assert_eq!(Tensor::from_slice::<i32>(&device, &[], [0])?.bincount(2)?.to_vec::<i64>()?, [0, 0]);
    let refused = [none.max(1).err(), none.argmax(..).err(), none.min_max(..).err(), none.max_dim(1).err()];
    for error in refused {
        let error = error.expect("there is nothing to choose");
        assert!(matches!(error, Error::Argument { .. }), "{error}");
        assert!(error.to_string().contains("no elements along the axes"), "{error}");
    }
    Ok(())
}

#[test]
fn axes_and_types_that_do_not_suit_are_refused_before_a_launch() -> Result<()> {
    let device = Device::open(0)?;
    let x = counting(&device, [2, 3, 2])?;
    let told = |error: Option<Error>| error.map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(told(x.sum(3).err()), "sum(self f32[2, 3, 2]): axis 3 does not exist: the tensor has 3 axes");
    assert!(matches!(x.sum(3), Err(Error::View { .. })));
    assert_eq!(told(x.sum([1, -2]).err()), "sum(self f32[2, 3, 2]): axis 1 is listed twice; name it once");
    assert_eq!(told(x.max_dim(..).err()), "max_dim(self f32[2, 3, 2]): it works along one axis; name it");
    assert_eq!(
        told(x.argmax([0, 1]).err()),
        "argmax(self f32[2, 3, 2]): 2 axes are named, but it works along one"
    );
    assert_eq!(
        told(x.sum(..)?.cumsum(1).err()),
        "cumsum(self f32[]): axis 1 does not exist: the tensor has 0 axes"
    );
    assert!(matches!(ops::mean(&x).dtype(DType::I32).run(), Err(Error::OutputDType { .. })));
    assert!(ops::any(&x).dtype(DType::F32).run().is_ok());
    assert!(matches!(x.cast(DType::F64)?.var(0), Err(Error::Unsupported { dtype: DType::F64, .. })));
    assert!(matches!(ops::softmax(&x, 0).dtype(DType::I32).run(), Err(Error::Unsupported { .. })));
    assert!(matches!(x.bincount(0), Err(Error::Unsupported { .. })));
    let whole = Tensor::from_slice(&device, &[1, -1], [2])?;
    assert!(told(whole.bincount(0).err()).contains("an element is negative"));
    assert!(matches!(whole.reshape([1, 2])?.bincount(0), Err(Error::Argument { .. })));
    assert!(matches!(whole.bincount_weighted(&x, 0), Err(Error::OutputShape { .. })));
    for (bins, min, max) in [(0, 0.0, 1.0), (2, 1.0, 0.0), (2, 0.0, f64::INFINITY), (2, f64::NAN, 1.0)] {
        assert!(matches!(x.histc(bins, min, max), Err(Error::Scalar { .. })), "{bins} {min} {max}");
    }
    Ok(())
}

#[test]
fn scans_have_options() -> Result<()> {
    let device = Device::open(0)?;
    let x = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    assert_eq!(ops::cumsum(&x, 1).exclusive().run()?.to_vec::<i64>()?, [0, 1, 0, 3]);
    assert_eq!(ops::cumsum(&x, 0).reverse().dtype(DType::F32).run()?.to_vec::<f32>()?, [4.0, 6.0, 3.0, 4.0]);
    assert_eq!(ops::cumprod(&x, -1).dtype(DType::F64).run()?.to_vec::<f64>()?, [1.0, 2.0, 3.0, 12.0]);
    let halves = Tensor::from_slice(&device, &[f16::from_f32(0.0); 3], [3])?;
    assert_eq!(ops::softmax(&halves, 0).dtype(DType::F32).run()?.to_vec::<f32>()?, [1.0f32 / 3.0; 3]);
    assert_eq!(x.softmax(0)?.dtype(), DType::F32);
    Ok(())
}

/// As in PyTorch, a tensor without axes is reduced along 0 and −1 as if it had one axis, with one element.
#[test]
fn a_tensor_without_axes_counts_as_one_with_a_single_axis() -> Result<()> {
    let device = Device::open(0)?;
    let x = Tensor::full(&device, (), -3.0, DType::F32)?;
    for axis in [0, -1] {
        for (result, expected) in [(x.sum(axis)?, -3.0), (x.mean([axis])?, -3.0), (x.norm(2.0, axis)?, 3.0)] {
            assert_eq!((result.rank(), result.item::<f32>()?), (0, expected));
        }
        assert_eq!(x.argmax(axis)?.item::<i64>()?, 0);
        let (value, position) = x.max_dim(axis)?;
        assert_eq!((value.item::<f32>()?, position.item::<i64>()?), (-3.0, 0));
        assert_eq!(ops::sum(&x).axes(axis).keep_dims().run()?.rank(), 0);
        for result in [x.cumsum(axis)?, x.softmax(axis)?.mul(-3)?, x.flip(axis)?, x.sort(axis)?.0] {
            assert_eq!((result.rank(), result.item::<f32>()?), (0, -3.0));
        }
    }
    for refused in [x.sum(1).err(), x.argmax(-2).err(), x.flip(1).err()] {
        assert!(matches!(refused, Some(Error::View { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn scans_are_planned_and_go_where_they_are_asked_to() -> Result<()> {
    let device = Device::open(0)?;
    let x = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    assert_eq!(
        ops::cumsum(&x, 1).plan()?.to_string(),
        "cumsum: Cast self i32→i64; CumsumV2 i64 → i64 [2, 2]"
    );
    let out = Tensor::zeros(&device, [2, 2], DType::F32)?;
    ops::cumsum(&x, 1).run_into(&mut out.transpose(0, 1)?)?;
    assert_eq!(out.to_vec::<f32>()?, [1.0, 3.0, 3.0, 7.0]);
    assert!(matches!(ops::cumsum(&x, 1).run_into(&mut x.select(0, 0)?), Err(Error::OutputShape { .. })));
    // The elements of an integer tensor stay integers.
    let mut whole = x.copy()?;
    whole.cumprod_in_place(-1)?;
    assert_eq!(whole.to_vec::<i32>()?, [1, 2, 3, 12]);
    out.transpose(0, 1)?.cumprod_in_place(0)?;
    assert_eq!(out.to_vec::<f32>()?, [1.0, 3.0, 3.0, 21.0]);
    Ok(())
}
