//! Whole quotients, remainders and powers through the safe layer: which casts are planned, scalars on both sides, in place, what
//! fails. What they compute is tested with the emulator.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, Policy, Stream, Tensor, ops};

use crate::support;

fn of(dtype: DType, device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0], [3])?.cast(dtype)
}

#[test]
fn operands_are_promoted_and_scalars_stand_on_both_sides() -> Result<(), Error> {
    use DType::{Bool, F16, F32, F64, I8, I32, U8};
    let device = Device::open(0)?;
    let plan = |operation: ops::Binary<'_, false>| operation.plan().map(|plan| plan.to_string());
    let (f32s, f16s, i8s, i32s) = (of(F32, &device)?, of(F16, &device)?, of(I8, &device)?, of(I32, &device)?);
    assert_eq!(plan(ops::fmod(&i8s, &f32s))?, "fmod: Cast self i8→f32; FmodTensor f32 → f32 [3]");
    assert_eq!(plan(ops::fmod(&i8s, 2))?, "fmod: FmodScalar i8 → i8 [3]");
    assert_eq!(
        plan(ops::remainder(&i8s, 2.5))?,
        "remainder: Cast self i8→f32; RemainderTensorScalar f32 → f32 [3]"
    );
    assert_eq!(plan(ops::rremainder(&i8s, 7))?, "rremainder: RemainderScalarTensor i8 → i8 [3]");
    assert_eq!(plan(ops::floor_divide(&f16s, 2.5))?, "floor_divide: FloorDivides f16 → f16 [3]");
    assert_eq!(
        plan(ops::floor_divide(&of(Bool, &device)?, true))?,
        "floor_divide: FloorDivides bool → f32 [3]"
    );
    assert_eq!(
        plan(ops::div_trunc(&i8s, &of(U8, &device)?))?,
        "div_trunc: Cast self i8→i16; Cast other u8→i16; DivMod i16 → i16 [3]"
    );
    assert_eq!(
        plan(ops::pow(&f16s, &f32s).policy(Policy::Auto))?,
        "pow: PowTensorTensor f16, f32 → f32 [3] (auto: delegated, the library casts alike)"
    );
    assert_eq!(plan(ops::pow(&i32s, 0.5))?, "pow: Cast self i32→f32; PowTensorScalar f32 → f32 [3]");
    assert_eq!(plan(ops::rpow(&i32s, 2))?, "rpow: PowScalarTensor i32 → i32 [3]");
    assert_eq!(plan(ops::rpow(&i32s, &f32s))?, "rpow: Cast self i32→f32; PowTensorTensor f32 → f32 [3]");
    assert_eq!(plan(ops::xlogy(&i32s, &i8s))?, "xlogy: Cast other i8→i32; XLogYTensor i32 → f32 [3]");
    assert_eq!(
        plan(ops::logaddexp(&of(F64, &device)?, &f32s))?,
        "logaddexp: Cast other f32→f64; LogAddExp f64 → f32 [3]"
    );
    assert_eq!(plan(ops::left_shift(&i32s, 3))?, "left_shift: LeftShifts i32 → i32 [3]");
    assert_eq!(
        plan(ops::right_shift(&i32s, 1))?,
        "right_shift: InplaceFillScalar other i32; RightShift i32 → i32 [3]"
    );

    assert_eq!(i32s.rpow(2)?.to_vec::<i32>()?, [2, 4, 8]);
    assert_eq!(i32s.pow(0.5)?.to_vec::<f32>()?, [1.0, 2f32.sqrt(), 3f32.sqrt()]);
    assert_eq!(i8s.rremainder(7)?.to_vec::<i8>()?, [0, 1, 1]);
    assert_eq!(i32s.right_shift(1)?.to_vec::<i32>()?, [0, 1, 1]);
    assert_eq!(i32s.div_trunc(-2)?.to_vec::<i32>()?, [0, -1, -1]);
    assert_eq!(f16s.floor_divide(&i32s)?.cast(F32)?.to_vec::<f32>()?, [1.0; 3]);
    assert_eq!(ops::floor_divide(&f32s, 2).dtype(I32).run()?.to_vec::<i32>()?, [0, 1, 1]);
    // Launches that repeat an earlier one have its mode too.
    let mut quotient = Tensor::zeros(&device, [3], I32)?;
    for divisor in [2, -2, 3, 7] {
        let divisors = Tensor::full(&device, [3], divisor, I32)?;
        let dividends = Tensor::full(&device, [3], -20, I32)?;
        ops::div_trunc(&dividends, &divisors).run_into(&mut quotient)?;
        assert_eq!(quotient.to_vec::<i32>()?, [-20 / divisor; 3]);
        assert_eq!(dividends.div_trunc(&divisors)?.to_vec::<i32>()?, [-20 / divisor; 3]);
        assert_eq!(
            divisors.rpow(&dividends.neg()?)?.to_vec::<i32>()?,
            [20i32.wrapping_pow(divisor.max(0) as u32) * i32::from(divisor > 0); 3]
        );
    }
    let mut own = of(F16, &device)?;
    own.pow_in_place(&f32s)?;
    own.floor_divide_in_place(2)?;
    own.div_trunc_in_place(-1.5)?;
    assert_eq!(own.cast(F32)?.to_vec::<f32>()?, [0.0, -1.0, -8.0]);
    Ok(())
}

#[test]
fn what_is_refused_names_the_operator_and_the_reason() -> Result<(), Error> {
    use DType::{Bool, C64, F32, I32};
    let device = Device::open(0)?;
    let truth = of(Bool, &device)?;
    let power = truth.pow(&truth);
    let Err(error @ Error::Unsupported { .. }) = power else { panic!("{power:?}") };
    assert!(error.to_string().contains("PowTensorTensor does not take bool"), "{error}");
    let complex = of(C64, &device)?.div_trunc(2);
    let Err(error @ Error::Unsupported { .. }) = complex else { panic!("{complex:?}") };
    assert!(error.to_string().contains("DivMods does not take c64"), "{error}");
    let mut whole = of(I32, &device)?;
    let in_place = whole.fmod_in_place(&of(F32, &device)?);
    assert!(matches!(in_place, Err(Error::OutputDType { .. })), "{in_place:?}");
    Ok(())
}

/// A remainder by zero is some integer, since AI cores do not trap; the emulator leaves the dividend.
#[test]
fn integer_remainders_by_zero_do_not_fail() -> Result<(), Error> {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[7i32, -7, i32::MIN], [3])?;
    let b = Tensor::from_slice(&device, &[0i32, 0, -1], [3])?;
    for left in [ops::fmod(&a, &b).run()?, ops::remainder(&a, &b).run()?] {
        let left = left.to_vec::<i32>()?;
        assert_eq!(left[2], 0);
        assert!(!support::is_emulated()? || left[..2] == [7, -7], "{left:?}");
    }
    Ok(())
}

/// As in PyTorch, a division of integers by zero fails; a stream that failed works no more, so it has one of its own.
#[test]
fn integers_do_not_divide_by_zero() -> Result<(), Error> {
    let device = Device::open(0)?;
    for product in [Product::Ascend310P, Product::Ascend950] {
        if support::skips_on(&device, product, "its integers divide by zero without a failure") {
            return Ok(());
        }
    }
    type Divide = for<'a> fn(&'a Tensor, &'a Tensor) -> ops::Binary<'a, false>;
    let functions: [Divide; 2] = [|a, b| ops::floor_divide(a, b), |a, b| ops::div_trunc(a, b)];
    for divide in functions {
        let stream = Stream::new(&device)?;
        let a = Tensor::from_slice(&device, &[7i32, 7], [2])?;
        let b = Tensor::from_slice(&device, &[7i32, 0], [2])?;
        device.synchronize()?;
        let quotient = divide(&a, &b).on(&stream).run()?;
        let failed = quotient.to_vec::<i32>();
        let message = failed.expect_err("a division by zero").to_string();
        assert!(message.contains("divided by zero"), "{message}");
    }
    Ok(())
}
