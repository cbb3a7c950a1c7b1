//! Functions of one tensor through the safe layer: which casts are planned, where results go, what is refused. What the
//! functions compute is tested with the emulator.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, Tensor, ops};

use crate::support;

fn of(dtype: DType, device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0], [3])?.cast(dtype)
}

/// The types that Exp, Sqrt and Abs take are those of CANN's description of the 910B.
#[test]
fn integers_are_cast_where_the_library_does_not_take_them() -> Result<(), Error> {
    use DType::{Bool, C64, F16, F32, I8, I32, I64};
    let device = Device::open(0)?;
    for (dtype, plan) in [
        (F32, "exp: Exp f32 → f32 [3]"),
        (F16, "exp: Exp f16 → f16 [3]"),
        (C64, "exp: Exp c64 → c64 [3]"),
        (I64, "exp: Exp i64 → f32 [3]"),
        (Bool, "exp: Exp bool → f32 [3]"),
        (I8, "exp: Cast self i8→f32; Exp f32 → f32 [3]"),
    ] {
        let tensor = of(dtype, &device)?;
        assert_eq!(ops::exp(&tensor).plan()?.to_string(), plan);
        assert_eq!(tensor.exp()?.dtype(), ops::exp(&tensor).plan()?.dtype());
    }
    let e = of(I8, &device)?.exp()?.to_vec::<f32>()?;
    assert_eq!(e, [1f32, 2.0, 3.0].map(|x| f64::from(x).exp() as f32));
    let whole = of(I32, &device)?;
    assert_eq!(
        ops::sqrt(&whole).dtype(I64).plan()?.to_string(),
        "sqrt: Sqrt i32 → f32 [3]; Cast result f32→i64"
    );
    assert_eq!(ops::sqrt(&whole).dtype(I64).run()?.to_vec::<i64>()?, [1, 1, 1]);
    assert_eq!(ops::exp(&whole).dtype(F16).plan()?.to_string(), "exp: Cast self i32→f32; Exp f32 → f16 [3]");
    assert_eq!(of(I32, &device)?.neg()?.abs()?.to_vec::<i32>()?, [1, 2, 3]);
    if support::skips_on(&device, Product::Ascend310P, "it has no absolute values of complex numbers") {
        return Ok(());
    }
    assert_eq!(of(C64, &device)?.abs()?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    Ok(())
}

#[test]
fn results_go_where_they_are_asked_for() -> Result<(), Error> {
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[4.0f32, 9.0, 16.0, 25.0, 36.0, 49.0], [2, 3])?;
    let mut row = Tensor::zeros(&device, [3], DType::F16)?;
    ops::sqrt(&grid.select(0, 1)?).run_into(&mut row)?;
    assert_eq!(row.cast(DType::F32)?.to_vec::<f32>()?, [5.0, 6.0, 7.0]);
    let target = Tensor::zeros(&device, [3, 2], DType::F32)?;
    ops::sqrt(&grid).run_into(&mut target.transpose(0, 1)?)?;
    assert_eq!(target.to_vec::<f32>()?, [2.0, 5.0, 3.0, 6.0, 4.0, 7.0]);
    let mut own = grid.clone();
    ops::sqrt(&grid).run_into(&mut own)?;
    assert_eq!(grid.to_vec::<f32>()?, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    Ok(())
}

#[test]
fn what_is_refused_names_the_operator_and_the_reason() -> Result<(), Error> {
    let device = Device::open(0)?;
    let tensor = of(DType::F32, &device)?;
    let bool_result = ops::exp(&tensor).dtype(DType::Bool).run();
    let Err(error @ Error::OutputDType { .. }) = bool_result else { panic!("{bool_result:?}") };
    assert!(error.to_string().starts_with("exp(self f32[3])"), "{error}");
    let other_shape = ops::exp(&tensor).run_into(&mut Tensor::zeros(&device, [2], DType::F32)?);
    assert!(matches!(other_shape, Err(Error::OutputShape { .. })), "{other_shape:?}");
    let overlapping = ops::exp(&tensor.slice(0, 0..2)?).run_into(&mut tensor.slice(0, 1..3)?);
    assert!(matches!(overlapping, Err(Error::Overlap { .. })), "{overlapping:?}");
    let narrow = of(DType::F64, &device)?.tanh();
    let Err(error @ Error::Unsupported { .. }) = narrow else { panic!("{narrow:?}") };
    assert!(error.to_string().contains("Tanh does not take f64"), "{error}");
    // A function that would change no integer never makes a float of one.
    for whole in [Tensor::ceil, Tensor::real] {
        let refused = whole(&of(DType::I32, &device)?);
        assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
    }
    Ok(())
}

/// The results are those of Rust's functions of f64, rounded once.
#[test]
fn in_place_the_results_replace_the_elements() -> Result<(), Error> {
    use DType::{Bool, F16, F32, I32, U8};
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[1.0f32, 4.0, 9.0, 16.0], [2, 2])?;
    grid.select(1, 1)?.sqrt_in_place()?;
    assert_eq!(grid.to_vec::<f32>()?, [1.0, 2.0, 9.0, 4.0]);
    let mut halves = of(F16, &device)?;
    halves.exp_in_place()?;
    let expected = [1f64, 2.0, 3.0].map(|x| aclnn::f16::from_f64(x.exp()));
    assert_eq!(halves.to_vec::<aclnn::f16>()?, expected);
    let mut whole = of(I32, &device)?;
    whole.logical_not_in_place()?;
    assert_eq!(whole.to_vec::<i32>()?, [0; 3]);
    whole.logical_not_in_place()?;
    assert_eq!((whole.dtype(), whole.to_vec::<i32>()?), (I32, vec![1; 3]));
    let mut truth = Tensor::from_slice(&device, &[true, false], 2)?;
    truth.logical_not_in_place()?;
    assert_eq!(truth.to_vec::<bool>()?, [false, true]);
    whole.negative_in_place()?;
    assert_eq!(whole.to_vec::<i32>()?, [-1; 3]);

    for dtype in [I32, U8, Bool] {
        let mut kept = of(dtype, &device)?;
        let refused = kept.exp_in_place();
        let Err(error @ Error::OutputDType { in_place: true, .. }) = refused else { panic!("{refused:?}") };
        assert!(error.to_string().starts_with(&format!("exp_in_place(self {dtype}[3])")), "{error}");
        assert_eq!(kept.cast(F32)?.to_vec::<f32>()?, of(dtype, &device)?.cast(F32)?.to_vec::<f32>()?);
    }
    let shared = of(F32, &device)?.broadcast_to([2, 3])?.exp_in_place();
    assert!(matches!(shared, Err(Error::SharedElements { .. })), "{shared:?}");
    Ok(())
}
