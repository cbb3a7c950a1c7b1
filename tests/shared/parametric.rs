//! Functions with attributes through the safe layer: which casts are planned, where results go, what is refused. What the
//! functions compute is tested with the emulator.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, Scalar, Tensor, ops};

use crate::support;

fn of(dtype: DType, device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0], [3])?.cast(dtype)
}

/// Types follow as in PyTorch: an integer tensor and a fraction give f32.
#[test]
fn bounds_are_numbers_or_tensors() -> Result<(), Error> {
    use DType::{F16, F32, F64, I32};
    let device = Device::open(0)?;
    let plan = |operation: ops::Parametric<'_>| operation.plan().map(|plan| plan.to_string());
    let (whole, single, half) = (of(I32, &device)?, of(F32, &device)?, of(F16, &device)?);
    assert_eq!(plan(ops::clamp(&whole, 2, 9))?, "clamp: Clamp i32 → i32 [3]");
    assert_eq!(plan(ops::clamp(&whole, 2, 2.5))?, "clamp: Cast self i32→f32; Clamp f32 → f32 [3]");
    assert_eq!(plan(ops::clamp(&half, 1.5f32, 2.5))?, "clamp: Clamp f16 → f16 [3]");
    assert_eq!(plan(ops::clamp_min(&whole, 2))?, "clamp_min: ClampMin i32 → i32 [3]");
    assert_eq!(
        plan(ops::clamp(&half, &single, 3))?,
        "clamp: Cast self f16→f32; InplaceFillScalar max f32; ClampTensor f32 → f32 [3]"
    );
    assert_eq!(
        plan(ops::clamp_max(&single, &half).dtype(F64))?,
        "clamp_max: Cast max f16→f32; ClampMaxTensor f32 → f64 [3]"
    );
    assert_eq!(
        plan(ops::clamp_min(&single, 2).dtype(I32))?,
        "clamp_min: ClampMin f32 → f32 [3]; Cast result f32→i32"
    );
    assert_eq!(whole.clamp(2, 2.5)?.to_vec::<f32>()?, [2.0, 2.0, 2.5]);
    assert_eq!(half.clamp(&single, 2)?.to_vec::<f32>()?, [1.0, 2.0, 2.0]);
    assert_eq!(single.clamp(2, 1)?.to_vec::<f32>()?, [1.0; 3]);
    let column = Tensor::from_slice(&device, &[0.5f32, 2.5], [2, 1])?;
    let clamped = single.clamp_max(&column)?;
    assert_eq!(**clamped.shape(), [2, 3]);
    assert_eq!(clamped.to_vec::<f32>()?, [0.5, 0.5, 0.5, 1.0, 2.0, 2.5]);
    assert_eq!(ops::clamp_min(&single, 2).dtype(I32).run()?.to_vec::<i32>()?, [2, 2, 3]);
    Ok(())
}

#[test]
fn operands_are_promoted_and_broadcast_whatever_the_operator_does() -> Result<(), Error> {
    use DType::{F16, F32};
    let device = Device::open(0)?;
    let (single, half) = (of(F32, &device)?, of(F16, &device)?);
    assert_eq!(
        ops::silu_backward(&half, &single).plan()?.to_string(),
        "silu_backward: Cast self f16→f32; SiluBackward f32 → f32 [3]"
    );
    let zero = Tensor::zeros(&device, [2, 1], F32)?;
    // The gradient of x / (1 + e^−x) at zero is a half.
    assert_eq!(single.silu_backward(&zero)?.to_vec::<f32>()?, [0.5, 1.0, 1.5, 0.5, 1.0, 1.5]);
    assert_eq!(single.neg()?.prelu(0.5)?.to_vec::<f32>()?, [-0.5, -1.0, -1.5]);
    assert_eq!(zero.heaviside(0.5)?.to_vec::<f32>()?, [0.5, 0.5]);
    let grid = Tensor::from_slice(&device, &[-1.0f32, -1.0, -1.0, 2.0, -2.0, -2.0], [1, 3, 2])?;
    assert_eq!(grid.prelu(&single)?.to_vec::<f32>()?, [-1.0, -1.0, -2.0, 2.0, -6.0, -6.0]);
    let mut row = Tensor::zeros(&device, [3], F16)?;
    ops::leaky_relu(&single.neg()?, 0.5).run_into(&mut row)?;
    assert_eq!(row.cast(F32)?.to_vec::<f32>()?, [-0.5, -1.0, -1.5]);
    let target = Tensor::zeros(&device, [3, 2], F32)?;
    let spread = single.broadcast_to([2, 3])?;
    ops::hard_shrink(&spread, 1).run_into(&mut target.transpose(0, 1)?)?;
    assert_eq!(target.to_vec::<f32>()?, [0.0, 0.0, 2.0, 2.0, 3.0, 3.0]);
    let mut own = single.clone();
    ops::threshold(&single, 1, 7).run_into(&mut own)?;
    assert_eq!(single.to_vec::<f32>()?, [7.0, 2.0, 3.0]);
    Ok(())
}

#[test]
fn attributes_are_refused_before_anything_is_launched() -> Result<(), Error> {
    use DType::{Bool, C64, F32, F64, I32};
    let device = Device::open(0)?;
    let single = of(F32, &device)?;
    let complex = Scalar::from(aclnn::Complex::new(1.0f32, 0.0));
    for (refused, why) in [
        (single.celu(0), "celu(self f32[3], alpha i32): alpha is 0, but must be neither zero nor NaN"),
        (single.soft_shrink(-1.0), "lambda is -1, but must not be negative"),
        (single.hard_tanh(2.0, 1.0), "min is 2, but must not be greater than the upper bound"),
        (single.leaky_relu(complex), "slope is c64; pass a real number"),
        (single.leaky_relu_backward(&single, -1.0, true), "slope is -1, but must not be negative"),
        (
            ops::elu_backward(&single, &single, -1.0, 1, 1, true).run(),
            "alpha is -1, but must not be negative",
        ),
    ] {
        let Err(error @ Error::Scalar { .. }) = refused else { panic!("{refused:?}") };
        assert!(error.to_string().contains(why), "{error}");
    }
    let wide = of(F64, &device)?.gelu_erf();
    let Err(error @ Error::Unsupported { .. }) = wide else { panic!("{wide:?}") };
    assert!(error.to_string().contains("GeluV2 does not take f64"), "{error}");
    let ordered = of(C64, &device)?.clamp(0, 1);
    assert!(matches!(ordered, Err(Error::Unsupported { .. })), "{ordered:?}");
    let truth = ops::clamp(&single, 0, 1).dtype(Bool).run();
    assert!(matches!(truth, Err(Error::OutputDType { .. })), "{truth:?}");
    let grid = Tensor::zeros(&device, [2, 2], F32)?;
    let channels = grid.prelu(&single);
    assert!(matches!(channels, Err(Error::Broadcast { .. })), "{channels:?}");
    let larger = Tensor::zeros(&device, [2, 1], F32)?.prelu(&single);
    assert!(matches!(larger, Err(Error::OutputShape { .. })), "{larger:?}");
    let overlapping = ops::threshold(&single.slice(0, 0..2)?, 1, 2).run_into(&mut single.slice(0, 1..3)?);
    assert!(matches!(overlapping, Err(Error::Overlap { .. })), "{overlapping:?}");
    // Beside an integer tensor bounds count as integers.
    assert_eq!(of(I32, &device)?.hard_tanh(1.9, 1.2)?.to_vec::<i32>()?, [1; 3]);
    assert_eq!(single.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    Ok(())
}

/// The numbers are those of `torch.logit`.
#[test]
fn an_attribute_is_a_double() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend310P, "it has no Logit") {
        return Ok(());
    }
    let x = Tensor::from_slice(&device, &[-1.0f32, 0.0, 0.25, 1.0, 2.0], [5])?;
    let inside = x.slice(0, 1..4)?;
    assert_eq!(inside.logit(-1.0)?.to_vec::<f32>()?, [f32::NEG_INFINITY, -1.0986123, f32::INFINITY]);
    assert!(x.logit(-1.0)?.slice(0, 4..5)?.to_vec::<f32>()?[0].is_nan());
    // The upper bound, 1 − 1e-6, is rounded to f32.
    let bound = 13.802_318;
    assert_eq!(x.logit(1e-6)?.to_vec::<f32>()?[2..], [-1.0986123, bound, bound]);
    let half = x.cast(DType::F16)?;
    assert_eq!(ops::logit(&half, 0.25).plan()?.to_string(), "logit: Logit f16 → f16 [5]");
    let wide = x.cast(DType::F64)?.logit(0.25);
    assert!(matches!(wide, Err(Error::Unsupported { .. })), "{wide:?}");
    Ok(())
}

#[test]
fn in_place_the_results_replace_the_elements() -> Result<(), Error> {
    use DType::{F16, F32, I32};
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[-1.0f32, 4.0, -9.0, 16.0], [2, 2])?;
    grid.select(1, 0)?.leaky_relu_in_place(0.5)?;
    assert_eq!(grid.to_vec::<f32>()?, [-0.5, 4.0, -4.5, 16.0]);
    let low = of(F16, &device)?;
    let mut row = Tensor::zeros(&device, [2, 3], F32)?;
    row.clamp_min_in_place(&low)?;
    assert_eq!(row.to_vec::<f32>()?, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    row.clamp_in_place(1.5, &low)?;
    assert_eq!(row.to_vec::<f32>()?, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    row.clamp_max_in_place(2)?;
    assert_eq!(row.to_vec::<f32>()?, [1.0, 2.0, 2.0, 1.0, 2.0, 2.0]);
    // The bound of a half is computed in f32, and the result becomes a half again.
    let mut half = of(F16, &device)?;
    half.clamp_max_in_place(&row.select(0, 0)?)?;
    assert_eq!(half.cast(F32)?.to_vec::<f32>()?, [1.0, 2.0, 2.0]);
    let mut whole = of(I32, &device)?;
    let fractions = whole.clamp_min_in_place(1.5);
    assert!(matches!(fractions, Err(Error::OutputDType { in_place: true, .. })), "{fractions:?}");
    let larger = whole.clamp_min_in_place(&Tensor::zeros(&device, [2, 3], I32)?);
    assert!(matches!(larger, Err(Error::OutputShape { .. })), "{larger:?}");
    assert_eq!(whole.to_vec::<i32>()?, [1, 2, 3]);
    Ok(())
}

/// The types are those of the printed tables: the published one, and the library's.
#[test]
fn operands_are_promoted_by_a_chosen_table_or_by_the_library() -> Result<(), Error> {
    use DType::{C64, F16, F32, F64, I32};
    use aclnn::{Edition, Policy};
    let device = Device::open(0)?;
    let (half, single, double) = (of(F16, &device)?, of(F32, &device)?, of(F64, &device)?);
    let complex = of(C64, &device)?;
    let plan = |operation: &ops::Parametric<'_>| operation.plan().map(|plan| plan.to_string());
    let lowest = ops::clamp_min(&half, &single);
    assert_eq!(plan(&lowest)?, "clamp_min: Cast self f16→f32; ClampMinTensor f32 → f32 [3]");
    let delegated = lowest.clone().policy(Policy::Delegate);
    assert_eq!(plan(&delegated)?, "clamp_min: ClampMinTensor f16, f32 → f32 [3]");
    let auto = lowest.clone().policy(Policy::Auto);
    assert_eq!(
        plan(&auto)?,
        "clamp_min: ClampMinTensor f16, f32 → f32 [3] (auto: delegated, the library casts alike)"
    );
    for operation in [lowest, delegated, auto] {
        assert_eq!(operation.run()?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    }
    assert_eq!(
        plan(&ops::clamp_max(&single, 2).policy(Policy::Auto))?,
        "clamp_max: ClampMax f32 → f32 [3] (auto: nothing to cast)"
    );
    // Threshold has no rule of promotion, so that the casts are inserted.
    assert_eq!(
        plan(&ops::threshold_backward(&half, &single, 1).policy(Policy::Delegate))?,
        "threshold_backward: Cast self f16→f32; ThresholdBackward f32 → f32 [3]"
    );
    let grads = ops::sigmoid_backward(&double, &complex);
    assert_eq!(grads.plan()?.compute_dtype(), Edition::Published.promote(F64, C64).expect("numbers"));
    let edition = grads.clone().edition(Edition::Library);
    assert_eq!(edition.plan()?.compute_dtype(), Edition::Library.promote(F64, C64).expect("numbers"));
    assert_ne!(grads.plan()?.compute_dtype(), edition.plan()?.compute_dtype());
    let refused = ops::clamp_min(&of(I32, &device)?, &complex).policy(Policy::Delegate).run();
    assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
    Ok(())
}
