//! Comparisons and their kin through the safe layer: which casts are planned, scalars, what is refused. What they compute is
//! tested with the emulator.

use aclnn::{DType, Device, Error, Policy, Tensor, ops};

fn of(dtype: DType, device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0], [3])?.cast(dtype)
}

#[test]
fn operands_are_promoted_and_the_result_is_of_the_operator() -> Result<(), Error> {
    use DType::{Bool, C64, F16, F32, I8, I32, U8};
    let device = Device::open(0)?;
    let plan = |operation: ops::Binary<'_, false>| operation.plan().map(|plan| plan.to_string());
    let (f32s, f16s, i8s, u8s) = (of(F32, &device)?, of(F16, &device)?, of(I8, &device)?, of(U8, &device)?);
    assert_eq!(plan(ops::lt(&f32s, &f32s))?, "lt: LtTensor f32 → bool [3]");
    assert_eq!(plan(ops::lt(&f16s, &f32s))?, "lt: Cast self f16→f32; LtTensor f32 → bool [3]");
    assert_eq!(plan(ops::lt(&f16s, &f32s).policy(Policy::Delegate))?, "lt: LtTensor f16, f32 → bool [3]");
    assert_eq!(
        plan(ops::lt(&f16s, &f32s).policy(Policy::Auto))?,
        "lt: LtTensor f16, f32 → bool [3] (auto: delegated, the library casts alike)"
    );
    assert_eq!(
        plan(ops::eq(&i8s, &u8s))?,
        "eq: Cast self i8→i16; Cast other u8→i16; EqTensor i16 → bool [3]"
    );
    assert_eq!(plan(ops::ge(&i8s, 1.5))?, "ge: Cast self i8→f32; GeScalar f32 → bool [3]");
    assert_eq!(
        plan(ops::maximum(&f16s, 1.5))?,
        "maximum: Cast self f16→f32; InplaceFillScalar other f32; Maximum f32 → f16 [3]"
    );
    assert_eq!(plan(ops::bitwise_and(&i8s, 6))?, "bitwise_and: BitwiseAndScalar i8 → i8 [3]");
    assert_eq!(plan(ops::logical_and(&i8s, &f32s))?, "logical_and: LogicalAnd i8, f32 → bool [3]");
    assert_eq!(
        plan(ops::atan2(&i8s, &u8s))?,
        "atan2: Cast self i8→i16; Cast other u8→i16; Atan2 i16 → f32 [3]"
    );
    assert_eq!(plan(ops::eq(&f32s, &f32s).dtype(I32))?, "eq: EqTensor f32 → i32 [3]");

    assert_eq!(f16s.lt(2.5)?.to_vec::<bool>()?, [true, true, false]);
    assert_eq!(i8s.ge(1.5)?.to_vec::<bool>()?, [false, true, true]);
    assert_eq!(i8s.bitwise_and(6)?.to_vec::<i8>()?, [0, 2, 2]);
    assert_eq!(i8s.logical_xor(false)?.to_vec::<bool>()?, [true; 3]);
    assert_eq!(f16s.maximum(1.5)?.cast(F32)?.to_vec::<f32>()?, [1.5, 2.0, 3.0]);
    assert_eq!(ops::eq(&f32s, &i8s).policy(Policy::Delegate).run()?.to_vec::<bool>()?, [true; 3]);
    assert_eq!(of(C64, &device)?.eq(&f32s)?.to_vec::<bool>()?, [true; 3]);
    let mut out = Tensor::zeros(&device, [3], Bool)?;
    ops::gt(&f32s, &i8s).run_into(&mut out)?;
    assert_eq!(out.to_vec::<bool>()?, [false; 3]);
    Ok(())
}

#[test]
fn what_is_refused_names_the_operator_and_the_reason() -> Result<(), Error> {
    use DType::{C64, F32, I32};
    let device = Device::open(0)?;
    let ordered = of(C64, &device)?.lt(&of(F32, &device)?);
    let Err(error @ Error::Unsupported { .. }) = ordered else { panic!("{ordered:?}") };
    assert!(error.to_string().contains("LtTensor does not take c64"), "{error}");
    let bits = of(F32, &device)?.bitwise_or(&of(I32, &device)?);
    let Err(error @ Error::Unsupported { .. }) = bits else { panic!("{bits:?}") };
    assert!(error.to_string().contains("BitwiseOrTensor does not take f32"), "{error}");
    let shapes = of(F32, &device)?.eq(&Tensor::zeros(&device, [2], F32)?);
    assert!(matches!(shapes, Err(Error::Broadcast { .. })), "{shapes:?}");
    Ok(())
}
