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

/// Each comparison with a number and with a tensor, against Rust's own.
#[test]
fn comparisons_in_place_write_zeros_and_ones() -> Result<(), Error> {
    use DType::{F16, F32, I32, U32};
    type Step = (
        fn(&mut Tensor, &Tensor) -> Result<(), Error>,
        fn(&mut Tensor) -> Result<(), Error>,
        fn(f32) -> bool,
    );
    let device = Device::open(0)?;
    let steps: [Step; 6] = [
        (|a, b| a.eq_in_place(b), |a| a.eq_in_place(2), |x| x == 2.0),
        (|a, b| a.ne_in_place(b), |a| a.ne_in_place(2), |x| x != 2.0),
        (|a, b| a.lt_in_place(b), |a| a.lt_in_place(2), |x| x < 2.0),
        (|a, b| a.le_in_place(b), |a| a.le_in_place(2), |x| x <= 2.0),
        (|a, b| a.gt_in_place(b), |a| a.gt_in_place(2), |x| x > 2.0),
        (|a, b| a.ge_in_place(b), |a| a.ge_in_place(2), |x| x >= 2.0),
    ];
    for dtype in [F32, F16, I32] {
        let two = Tensor::full(&device, (), 2, F32)?;
        for (tensors, scalars, expected) in steps {
            let expected = [1.0f32, 2.0, 3.0].map(|x| f32::from(expected(x)));
            let (mut a, mut b) = (of(dtype, &device)?, of(dtype, &device)?);
            tensors(&mut a, &two)?;
            scalars(&mut b)?;
            for result in [a, b] {
                assert_eq!((result.dtype(), result.cast(F32)?.to_vec::<f32>()?), (dtype, expected.to_vec()));
            }
        }
    }
    // Before the 950 nothing writes unsigned integers through a view.
    let wide = of(F32, &device)?.broadcast_to([2, 3])?.cast(U32)?;
    wide.transpose(0, 1)?.lt_in_place(2u32)?;
    assert_eq!(wide.to_vec::<u32>()?, [1, 0, 0, 1, 0, 0]);
    Ok(())
}

#[test]
fn operations_in_place_are_planned_as_such() -> Result<(), Error> {
    use DType::{F16, F32, I8, I32};
    let device = Device::open(0)?;
    let plan = |operation: ops::BinaryInPlace<'_, false>| operation.plan().map(|plan| plan.to_string());
    let (mut f32s, mut f16s, mut i8s) = (of(F32, &device)?, of(F16, &device)?, of(I8, &device)?);
    let (floats, halves, whole) = (of(F32, &device)?, of(F16, &device)?, of(I32, &device)?);
    assert_eq!(plan(ops::eq_in_place(&mut f32s, &floats))?, "eq_in_place: InplaceEqTensor f32 → f32 [3]");
    assert_eq!(plan(ops::gt_in_place(&mut f32s, 1))?, "gt_in_place: InplaceGtScalar f32 → f32 [3]");
    assert_eq!(
        plan(ops::lt_in_place(&mut f32s, &halves))?,
        "lt_in_place: Cast other f16→f32; InplaceLtTensor f32 → f32 [3]"
    );
    // An operand that is cast is no longer the one that the form in place writes.
    assert_eq!(
        plan(ops::lt_in_place(&mut f16s, &floats))?,
        "lt_in_place: Cast self f16→f32; LtTensor f32 → f16 [3]"
    );
    assert_eq!(
        plan(ops::bitwise_or_in_place(&mut i8s, 4))?,
        "bitwise_or_in_place: InplaceBitwiseOrScalar i8 → i8 [3]"
    );
    assert_eq!(
        plan(ops::logical_and_in_place(&mut i8s, &floats))?,
        "logical_and_in_place: InplaceLogicalAnd i8, f32 → i8 [3]"
    );
    assert_eq!(
        plan(ops::logical_or_in_place(&mut f32s, 0))?,
        "logical_or_in_place: InplaceFillScalar other bool; InplaceLogicalOr f32, bool → f32 [3]"
    );
    i8s.bitwise_or_in_place(4)?;
    assert_eq!(i8s.to_vec::<i8>()?, [5, 6, 7]);
    i8s.bitwise_xor_in_place(&of(I8, &device)?)?;
    assert_eq!(i8s.to_vec::<i8>()?, [4; 3]);
    i8s.logical_and_in_place(&floats)?;
    assert_eq!(i8s.to_vec::<i8>()?, [1; 3]);
    f16s.atan2_in_place(&floats)?;
    assert_eq!(f16s.to_vec::<aclnn::f16>()?, [aclnn::f16::from_f64(std::f64::consts::FRAC_PI_4); 3]);
    let fractions = i8s.atan2_in_place(&whole);
    assert!(matches!(fractions, Err(Error::OutputDType { in_place: true, .. })), "{fractions:?}");
    let larger = f32s.ge_in_place(&Tensor::zeros(&device, [2, 3], F32)?);
    assert!(matches!(larger, Err(Error::OutputShape { .. })), "{larger:?}");
    assert_eq!(f32s.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    Ok(())
}
