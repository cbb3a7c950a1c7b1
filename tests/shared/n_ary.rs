//! Functions of several operands through the safe layer: which casts are planned, scalars, in place, what is refused. What they
//! compute is tested with the emulator.

use aclnn::{Complex, DType, Device, Error, Policy, Tensor, ops};

use crate::support;

fn of(dtype: DType, device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0], [3])?.cast(dtype)
}

#[test]
fn operands_are_promoted_and_scalars_become_tensors() -> Result<(), Error> {
    use DType::{Bool, F16, F32, F64, I8, I32};
    let device = Device::open(0)?;
    let [f32s, f16s, i8s, i32s] = [F32, F16, I8, I32].map(|dtype| of(dtype, &device));
    let (f32s, f16s, i8s, i32s) = (f32s?, f16s?, i8s?, i32s?);
    let truth = f32s.gt(1.5)?;
    let (f64s, c64s) = (of(F64, &device)?, of(DType::C64, &device)?);
    let chosen = ops::where_(&truth, &f16s, &f32s);
    assert_eq!(chosen.plan()?.to_string(), "where_: Cast self f16→f32; SWhere bool, f32, f32 → f32 [3]");
    for (chosen, policy, why) in [
        (&chosen, Policy::Delegate, "where_: SWhere bool, f16, f32 → f32 [3]"),
        (
            &chosen,
            Policy::Auto,
            "where_: SWhere bool, f16, f32 → f32 [3] (auto: delegated, the library casts alike)",
        ),
        (
            &ops::where_(&truth, &f32s, &f32s),
            Policy::Auto,
            "where_: SWhere bool, f32, f32 → f32 [3] (auto: nothing to cast)",
        ),
        (
            &ops::where_(&truth, &f64s, &c64s),
            Policy::Auto,
            "where_: Cast self f64→c64; SWhere bool, c64, c64 → c64 [3] (auto: inserted, the library promotes to c128)",
        ),
    ] {
        assert_eq!(chosen.clone().policy(policy).plan()?.to_string(), why);
    }
    assert_eq!(
        ops::where_(&truth, &i8s, 0.5).plan()?.to_string(),
        "where_: Cast self i8→f32; InplaceFillScalar other f32; SWhere bool, f32, f32 → f32 [3]"
    );
    assert_eq!(
        ops::addcmul(&f32s, &i8s, &f16s).plan()?.to_string(),
        "addcmul: Cast tensor1 i8→f32; Cast tensor2 f16→f32; Addcmul f32 → f32 [3]"
    );
    assert_eq!(
        ops::addcdiv(&f32s, &f32s, &f32s).dtype(I32).plan()?.to_string(),
        "addcdiv: Addcdiv f32 → f32 [3]; Cast result f32→i32"
    );
    assert_eq!(
        ops::lerp(&f32s, &f16s, &f32s).policy(Policy::Delegate).plan()?.to_string(),
        "lerp: Cast end f16→f32; Lerp f32 → f32 [3]"
    );
    assert_eq!(ops::lerp(&f16s, &f16s, 0.5).plan()?.to_string(), "lerp: Lerps f16 → f16 [3]");
    assert_eq!(
        ops::is_close(&i32s, &f32s).dtype(F16).plan()?.to_string(),
        "is_close: Cast self i32→f32; IsClose f32 → bool [3]; Cast result bool→f16"
    );
    assert_eq!(
        ops::max_n(&i8s, &[&f16s, &i32s]).plan()?.to_string(),
        "max_n: Cast self i8→f16; Cast other i32→f16; MaxN f16 → f16 [3]"
    );

    assert_eq!(truth.where_(&i8s, 0.5)?.to_vec::<f32>()?, [0.5, 2.0, 3.0]);
    assert_eq!(truth.where_(1, 2.5)?.to_vec::<f64>()?, [2.5, 1.0, 1.0]);
    assert_eq!(chosen.policy(Policy::Delegate).run()?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    assert_eq!(f32s.addcmul(&i8s, &f16s, 0.5)?.to_vec::<f32>()?, [1.5, 4.0, 7.5]);
    assert_eq!(ops::addcdiv(&f32s, &i32s, &f32s).value(2).dtype(I32).run()?.to_vec::<i32>()?, [3, 4, 5]);
    assert_eq!(i8s.min_n(&[&i32s, &f32s])?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    assert!(
        ops::is_close(&f32s, &i32s).rtol(0.0).atol(0.0).run()?.to_vec::<bool>()?.iter().all(|close| *close)
    );
    assert_eq!(
        of(F64, &device)?.complex(&of(F64, &device)?)?.to_vec::<Complex<f64>>()?[1],
        Complex::new(2.0, 2.0)
    );
    assert!(
        i8s.equal(&f16s)? && !i8s.equal(&i8s.slice(0, 0..2)?)? && i8s.contains(3.0)? && !i8s.contains(2.5)?
    );
    assert_eq!(of(Bool, &device)?.square()?.to_vec::<bool>()?, [true; 3]);
    Ok(())
}

#[test]
fn results_replace_the_first_operand() -> Result<(), Error> {
    use DType::{F16, F32, I32};
    let device = Device::open(0)?;
    let mut own = of(F16, &device)?;
    own.addcmul_in_place(&of(F16, &device)?, &of(F32, &device)?, 2)?;
    own.lerp_in_place(&of(F16, &device)?, 0.5)?;
    own.addcdiv_in_place(&of(F16, &device)?, &of(F16, &device)?, -1)?;
    assert_eq!(own.cast(F32)?.to_vec::<f32>()?, [1.0, 5.0, 11.0]);
    let mut whole = of(I32, &device)?;
    let fractions = whole.addcmul_in_place(&of(F32, &device)?, &of(F32, &device)?, 1);
    assert!(matches!(fractions, Err(Error::OutputDType { in_place: true, .. })), "{fractions:?}");
    let larger = own.addcdiv_in_place(&Tensor::zeros(&device, [2, 3], F16)?, &of(F16, &device)?, 1);
    assert!(matches!(larger, Err(Error::OutputShape { .. })), "{larger:?}");
    Ok(())
}

#[test]
fn what_is_refused_names_the_operator_and_the_reason() -> Result<(), Error> {
    use DType::{C64, F32, F64, I16, I32};
    let device = Device::open(0)?;
    let words = of(I16, &device)?;
    let product = words.addcmul(&words, &words, 1);
    let Err(error @ Error::Unsupported { .. }) = product else { panic!("{product:?}") };
    assert!(error.to_string().contains("Addcmul does not take i16"), "{error}");
    let whole = of(I32, &device)?;
    let half = whole.addcmul(&whole, &whole, 0.5);
    let Err(error @ Error::Scalar { .. }) = half else { panic!("{half:?}") };
    assert!(error.to_string().contains("value is f64, the operands are computed in i32"), "{error}");
    let condition = whole.where_(1, 2);
    let Err(error @ Error::Unsupported { .. }) = condition else { panic!("{condition:?}") };
    assert!(error.to_string().contains("SWhere does not take i32"), "{error}");
    let parts = of(F32, &device)?.complex(&of(F64, &device)?);
    assert!(matches!(parts, Err(Error::Unsupported { .. })), "{parts:?}");
    let complex = of(C64, &device)?.equal(&of(C64, &device)?);
    assert!(matches!(complex, Err(Error::Unsupported { .. })), "{complex:?}");
    Ok(())
}

#[test]
fn only_nan_is_nan() -> Result<(), Error> {
    let device = Device::open(0)?;
    let floats = [0.0f32, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, 1.0];
    let expected = floats.map(f32::is_nan);
    let floats = Tensor::from_slice(&device, &floats, [3, 2])?;
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::F64, DType::C64] {
        if dtype == DType::BF16 && !support::has_bf16(&device) {
            continue;
        }
        assert_eq!(floats.cast(dtype)?.is_nan()?.to_vec::<bool>()?, expected, "{dtype}");
    }
    assert_eq!(of(DType::I32, &device)?.is_nan()?.to_vec::<bool>()?, [false; 3]);
    assert_eq!(Tensor::zeros(&device, [0, 2], DType::F32)?.is_nan()?.dims(), [0, 2]);
    Ok(())
}

#[test]
fn a_weight_is_called_so() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (whole, floats) = (of(DType::I32, &device)?, of(DType::F32, &device)?);
    let refused = whole.lerp(&whole, 0.5).expect_err("integers are not interpolated").to_string();
    assert!(refused.starts_with("lerp(self i32[3], end i32[3], weight f64)"), "{refused}");
    let refused = of(DType::C64, &device)?.lerp(&whole, &floats).expect_err("complex").to_string();
    assert!(refused.starts_with("lerp(self c64[3], end i32[3], weight f32[3])"), "{refused}");
    let joined = Tensor::cat(&[&floats, &whole], 1).expect_err("there is one axis").to_string();
    assert!(joined.starts_with("cat(tensors f32[3], tensors i32[3]): axis 1 does not exist"), "{joined}");
    Ok(())
}
