//! Plans, as they are printed. What is printed is what is launched.

use aclnn::plan::{CastBy, Role, Step};
use aclnn::product::Product;
use aclnn::promote::Edition;
use aclnn::{Complex, DType, Device, Error, Plan, Policy, Scalar, Tensor, bf16, f16, ops};

use crate::support;

fn of(dtype: DType, device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0], [3])?.cast(dtype)
}

#[test]
fn casts_are_planned_where_types_differ() -> Result<(), Error> {
    use DType::*;
    let device = Device::open(0)?;
    for (a, b, plan) in [
        (F32, F32, "add: Add f32 → f32 [3]"),
        (F16, F32, "add: Cast self f16→f32; Add f32 → f32 [3]"),
        (F32, F16, "add: Cast other f16→f32; Add f32 → f32 [3]"),
        (U8, I8, "add: Cast self u8→i16; Cast other i8→i16; Add i16 → i16 [3]"),
        (Bool, I64, "add: Cast self bool→i64; Add i64 → i64 [3]"),
        (I64, F16, "add: Cast self i64→f16; Add f16 → f16 [3]"),
        (BF16, F16, "add: Cast self bf16→f32; Cast other f16→f32; Add f32 → f32 [3]"),
        (F64, C64, "add: Cast self f64→c64; Add c64 → c64 [3]"),
    ] {
        if a == BF16 && !support::has_bf16(&device) {
            continue;
        }
        let (a, b) = (of(a, &device)?, of(b, &device)?);
        assert_eq!(ops::add(&a, &b).plan()?.to_string(), plan);
        let run = ops::add(&a, &b).run()?;
        assert_eq!(run.dtype(), ops::add(&a, &b).plan()?.dtype());
    }
    let (a, b) = (of(F64, &device)?, of(C64, &device)?);
    let revised = ops::add(&a, &b).edition(Edition::Revised);
    let debug = format!("{revised:?}");
    for part in ["Binary", "\"add\"", "f64[3] on device 0", "c64[3] on device 0", "Insert", "Revised"] {
        assert!(debug.contains(part), "{part:?} is missing in: {debug}");
    }
    let revised = revised.plan()?;
    assert_eq!(revised.to_string(), "add: Cast self f64→c128; Cast other c64→c128; Add c128 → c128 [3]");
    Ok(())
}

#[test]
fn scalars_weigh_less_than_tensors() -> Result<(), Error> {
    use DType::{BF16, Bool, F16, I8, I16, I32};
    let device = Device::open(0)?;
    let plan = |dtype, with: &dyn Fn(&Tensor) -> Result<Plan, Error>| -> Result<String, Error> {
        Ok(with(&of(dtype, &device)?)?.to_string())
    };
    assert_eq!(plan(F16, &|a| ops::add(a, 0.5).plan())?, "add: Adds f16 → f16 [3]");
    assert_eq!(plan(I32, &|a| ops::add(a, 0.5).plan())?, "add: Cast self i32→f32; Adds f32 → f32 [3]");
    assert_eq!(plan(I8, &|a| ops::mul(a, 1000).plan())?, "mul: Muls i8 → i8 [3]");
    assert_eq!(plan(Bool, &|a| ops::sub(a, 2i64).plan())?, "sub: Cast self bool→i64; Subs i64 → i64 [3]");
    assert_eq!(plan(I16, &|a| ops::div(a, 2).plan())?, "div: Divs i16 → f32 [3]");
    if support::has_bf16(&device) {
        let turned = plan(BF16, &|a| ops::mul(a, Complex::new(0.0f64, 1.0)).plan())?;
        assert_eq!(turned, "mul: Cast self bf16→c64; Muls c64 → c64 [3]");
    }
    Ok(())
}

#[test]
fn a_scalar_that_is_divided_becomes_a_tensor() -> Result<(), Error> {
    use DType::{BF16, F16, F32, F64, I8, I32};
    let device = Device::open(0)?;
    let plan = |dtype, policy| -> Result<String, Error> {
        Ok(ops::rdiv(&of(dtype, &device)?, 0.5).policy(policy).plan()?.to_string())
    };
    let has_bf16 = support::has_bf16(&device);
    for policy in [Policy::Insert, Policy::Delegate] {
        assert_eq!(plan(F32, policy)?, "rdiv: InplaceFillScalar other f32; Div f32 → f32 [3]");
        assert_eq!(plan(F64, policy)?, "rdiv: InplaceFillScalar other f64; Div f64 → f64 [3]");
        for (dtype, name) in [(F16, "f16"), (BF16, "bf16")] {
            if dtype == BF16 && !has_bf16 {
                continue;
            }
            let half =
                format!("rdiv: Cast self {name}→f32; InplaceFillScalar other f32; Div f32 → {name} [3]");
            assert_eq!(plan(dtype, policy)?, half, "the digits of the scalar are those of f32");
        }
        let whole = "rdiv: Cast self i32→f32; InplaceFillScalar other f32; Div f32 → f32 [3]";
        assert_eq!(plan(I32, policy)?, whole);
    }
    let whole = ops::rdiv(&of(I8, &device)?, 6).plan()?;
    assert_eq!(whole.to_string(), "rdiv: InplaceFillScalar other i8; Div i8 → f32 [3]");
    assert_eq!(ops::rdiv(&of(I8, &device)?, 6).run()?.to_vec::<f32>()?, [6.0, 3.0, 2.0]);
    assert_eq!(ops::rdiv(&of(I8, &device)?, 7).dtype(I32).run()?.to_vec::<i32>()?, [7, 3, 2]);
    let mut out = Tensor::zeros(&device, [3], F64)?;
    ops::rdiv(&of(F32, &device)?, 6).run_into(&mut out)?;
    assert_eq!(out.to_vec::<f64>()?, [6.0, 3.0, 2.0]);
    let tensors = ops::rdiv(&of(F16, &device)?, &of(F32, &device)?).plan()?;
    assert_eq!(tensors.to_string(), "rdiv: Cast self f16→f32; Div f32 → f32 [3]");
    Ok(())
}

/// The products that differ in what they delegate.
const PRODUCTS: [[(&str, &str); 1]; 2] =
    [[("CANN_STUBS_SOC", "Ascend910B")], [("CANN_STUBS_SOC", "Ascend950")]];

#[test]
fn scalars_beside_half_floats_keep_their_digits() -> Result<(), Box<dyn std::error::Error>> {
    let test = "scalars_beside_half_floats_keep_their_digits";
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &PRODUCTS)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    // 3.015 lies next to 3.015625; times 1.005 as bf16, which is 1.0078125, it would be 3.03125.
    let a = Tensor::from_slice(&device, &[bf16::from_f64(3.0)], [1])?;
    assert_eq!(ops::mul(&a, 1.005).dtype(DType::BF16).run()?.item::<bf16>()?.to_f64(), 3.015625);
    let a = Tensor::from_slice(&device, &[2047.0].map(f16::from_f64), [1])?;
    // Only the 950 multiplies f16 by a scalar of f32.
    if device.product() != Some(Product::Ascend950) {
        return Ok(());
    }
    // 204.7 lies next to 204.75; times 0.1 as f16, which is 0.09997559, it would be 204.625.
    assert_eq!(a.mul(0.1)?.item::<f16>()?.to_f64(), 204.75);
    Ok(())
}

/// Casts of the special types of the 950, and what to do where there is none. HiF8 codes are typed from the table.
#[test]
fn the_advice_for_a_missing_cast_on_the_950_works() -> Result<(), Box<dyn std::error::Error>> {
    let (test, product) =
        ("the_advice_for_a_missing_cast_on_the_950_works", [("CANN_STUBS_SOC", "Ascend950")]);
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &[product])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let small = Tensor::from_slice(&device, &[1.0f32, -0.5, 3e5], [3])?.cast(DType::HiF8)?;
    assert_eq!(small.to_bytes()?, [0x08, 0x98, 0x6F]);
    assert_eq!(small.cast(DType::F16)?.to_vec::<f16>()?, [1.0, -0.5, f64::INFINITY].map(f16::from_f64));

    // Elements are packed from the low bits on, of a view in its own order.
    let turned = Tensor::from_slice(&device, &[1i32, -2, 3, -4], [2, 2])?.transpose(0, 1)?;
    assert_eq!(turned.cast(DType::I4)?.to_bytes()?, [0x31, 0xCE]);

    let halves = [Complex::new(f16::ONE, f16::NEG_ONE)];
    let pair = Tensor::from_slice(&device, &halves, [1])?;
    let mut ways = 0;
    for (from, to) in [(&pair, DType::C128), (&pair, DType::F32), (&pair, DType::HiF8), (&small, DType::I32)]
    {
        let error = from.cast(to).unwrap_err().to_string();
        let advice = error.split_once("; cast to ").and_then(|(_, rest)| rest.split_once(" first, or"));
        let between: DType = advice.ok_or(error.clone())?.0.parse()?;
        assert!(from.cast(between)?.cast(to).is_ok(), "{error}");
        ways += usize::from((from.dtype(), to, between) == (DType::C32, DType::C128, DType::C64));
    }
    assert_eq!(ways, 1, "the imaginary part is kept");
    let wide = pair.cast(DType::C64)?.cast(DType::C128)?.to_vec::<Complex<f64>>()?;
    assert_eq!(wide, [Complex::new(1.0, -1.0)]);

    let query = Tensor::zeros(&device, [1, 2, 3, 8], DType::F16)?;
    let error = ops::attention(&query, &query, &query).lengths(&[3], &[3]).run().unwrap_err().to_string();
    assert!(error.contains("FusedInferAttentionScoreV2 is not available on Ascend950"), "{error}");
    Ok(())
}

#[test]
fn the_result_is_cast_where_the_library_would_not() -> Result<(), Error> {
    use DType::*;
    let device = Device::open(0)?;
    let (a, b) = (of(F32, &device)?, of(C64, &device)?);
    assert_eq!(ops::add(&a, 1).dtype(F16).plan()?.to_string(), "add: Adds f32 → f16 [3]");
    assert_eq!(
        ops::add(&a, 1).dtype(I32).plan()?.to_string(),
        "add: Adds f32 → f32 [3]; Cast result f32→i32"
    );
    let mut out = Tensor::zeros(&device, [3], I32)?;
    ops::add(&a, 1.6).run_into(&mut out)?;
    assert_eq!(out.to_vec::<i32>()?, [2, 3, 4]);
    let real = ops::mul(&a, &b).dtype(F64).plan()?.to_string();
    assert_eq!(real, "mul: Cast self f32→c64; Mul c64 → c64 [3]; Cast result c64→f64");
    // Mul looks at the type of its output, Add does not.
    let whole = of(I32, &device)?;
    if device.product() == Some(Product::Ascend910B) {
        assert_eq!(ops::add(&whole, 1).dtype(U16).plan()?.to_string(), "add: Adds i32 → u16 [3]");
        let product = ops::mul(&whole, 1).dtype(U16).plan()?.to_string();
        assert_eq!(product, "mul: Muls i32 → i32 [3]; Cast result i32→u16");
        assert_eq!(ops::mul(&whole, 3).dtype(U16).run()?.to_vec::<u16>()?, [3, 6, 9]);
    }
    Ok(())
}

#[test]
fn in_place_plans() -> Result<(), Error> {
    use DType::*;
    let device = Device::open(0)?;
    let wide = of(F64, &device)?;
    let half = of(F16, &device)?;
    let mut a = of(F32, &device)?;
    assert_eq!(
        ops::add_in_place(&mut a, &half).plan()?.to_string(),
        "add_in_place: Cast other f16→f32; InplaceAdd f32 → f32 [3]"
    );
    assert_eq!(ops::mul_in_place(&mut a, 2).plan()?.to_string(), "mul_in_place: InplaceMuls f32 → f32 [3]");
    let plan = ops::add_in_place(&mut a, &wide).plan()?.to_string();
    assert_eq!(plan, "add_in_place: Cast self f32→f64; Add f64 → f32 [3]");
    ops::add_in_place(&mut a, &wide).run()?;
    assert_eq!(a.to_vec::<f32>()?, [2.0, 4.0, 6.0]);
    Ok(())
}

#[test]
fn the_library_is_handed_mixed_operands() -> Result<(), Error> {
    use DType::*;
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend950, "its library judges outputs by the quotient") {
        return Ok(());
    }
    if support::has_bf16(&device) {
        let (a, b) = (of(BF16, &device)?, of(F16, &device)?);
        let delegated = ops::add(&a, &b).policy(Policy::Delegate);
        assert_eq!(delegated.plan()?.to_string(), "add: Add bf16, f16 → f32 [3]");
        assert_eq!(delegated.run()?.to_vec::<f32>()?, [2.0, 4.0, 6.0]);
        let scalar = ops::mul(&a, 0.5).policy(Policy::Delegate);
        assert_eq!(scalar.plan()?.to_string(), "mul: Muls bf16 → bf16 [3]");
        assert_eq!(scalar.run()?.to_vec::<bf16>()?, [0.5, 1.0, 1.5].map(bf16::from_f32));
    }
    let mut own = of(F16, &device)?;
    ops::add_in_place(&mut own, &of(F32, &device)?).policy(Policy::Delegate).run()?;
    assert_eq!(own.to_vec::<f16>()?, [2.0, 4.0, 6.0].map(f16::from_f32));
    // It judges the output by the promoted type, before it divides, and by its own list.
    let ints = of(I32, &device)?;
    let divided = ops::div(&ints, &ints).policy(Policy::Delegate).dtype(I32);
    assert_eq!(divided.plan()?.to_string(), "div: Div i32 → i32 [3]");
    let unlisted = ops::mul(&ints, &ints).policy(Policy::Delegate).dtype(U16).plan();
    assert!(matches!(unlisted, Err(Error::Unsupported { by: "Mul", dtype: U16, .. })), "{unlisted:?}");
    let halves = of(support::halves(&device), &device)?;
    let refused = ops::add(&of(F32, &device)?, &halves).policy(Policy::Delegate).dtype(I32).plan();
    assert!(matches!(refused, Err(Error::OutputDType { computed: F32, out: I32, .. })), "{refused:?}");
    Ok(())
}

#[test]
fn a_plan_can_be_taken_apart() -> Result<(), Error> {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[f16::ONE; 6], [2, 3])?;
    let b = Tensor::from_slice(&device, &[1.0f32], [1])?;
    let plan = ops::add(&a, &b).dtype(DType::I8).plan()?;
    assert_eq!(plan.operator(), "add");
    assert_eq!((plan.compute_dtype(), plan.dtype()), (DType::F32, DType::I8));
    assert_eq!(plan.shape(), &aclnn::Shape::from([2, 3]));
    let [
        Step::Cast { operand: Role::Own, from: DType::F16, to: DType::F32, by: CastBy::Cast },
        Step::Compute { operator: "Add", in_place: false, .. },
        Step::Cast { operand: Role::Result, .. },
    ] = plan.steps()
    else {
        panic!("{:?}", plan.steps());
    };
    Ok(())
}

#[test]
fn views_that_cast_does_not_take_are_converted_by_a_copy() -> Result<(), Error> {
    let device = Device::open(0)?;
    let column = Tensor::from_slice(&device, &[true, false, true, true], [2, 2])?.select(1, 0)?;
    let operation = ops::add(&column, &column).dtype(DType::I32);
    assert_eq!(operation.plan()?.to_string(), "add: Add bool → i32 [2]");
    let ones = Tensor::ones(&device, [2], DType::I32)?;
    let operation = ops::add(&column, &ones);
    assert_eq!(operation.plan()?.to_string(), "add: InplaceCopy self bool→i32; Add i32 → i32 [2]");
    assert_eq!(operation.run()?.to_vec::<i32>()?, [2, 2]);
    assert_eq!(column.cast(DType::F32)?.to_vec::<f32>()?, [1.0, 1.0]);
    let grid = Tensor::from_slice(&device, &[Complex::new(1.0f32, -1.0); 4], [2, 2])?;
    let (column, ones) = (grid.select(1, 0)?, Tensor::ones(&device, [2], DType::C128)?);
    let operation = ops::add(&column, &ones);
    assert_eq!(operation.plan()?.to_string(), "add: InplaceCopy self c64→c128; Add c128 → c128 [2]");
    assert_eq!(operation.run()?.to_vec::<Complex<f64>>()?, [Complex::new(2.0, -1.0); 2]);
    Ok(())
}

aclnn::operator! {
    // As the planner calls them, without a plan.
    unsafe extern "aclnn" {
        fn raw_add = "aclnnAdd"(own: tensor, other: tensor, alpha: scalar, out: out);
        fn raw_adds = "aclnnAdds"(own: tensor, other: scalar, alpha: scalar, out: out);
        fn raw_mul = "aclnnMul"(own: tensor, other: tensor, out: out);
        fn raw_muls = "aclnnMuls"(own: tensor, other: scalar, out: out);
        fn raw_div = "aclnnDiv"(own: tensor, other: tensor, out: out);
        fn raw_divs = "aclnnDivs"(own: tensor, other: scalar, out: out);
    }
}

/// Types of every kind, one that arithmetic does not take and one without scalars among them, as tensors and scalars.
fn operands_of_every_kind(device: &Device) -> Result<Vec<(Tensor, Scalar)>, Error> {
    let one = Complex::new(1.0, 0.0);
    let scalars = [
        Scalar::from(1.0f32),
        f16::ONE.into(),
        bf16::from_f32(1.0).into(),
        1.0f64.into(),
        1i8.into(),
        1i32.into(),
        1u16.into(),
        1i64.into(),
        true.into(),
        1u8.into(),
        Complex::<f32>::new(1.0, 0.0).into(),
        one.into(),
        Complex::new(f16::ONE, f16::ZERO).into(),
    ];
    let operand = |scalar: Scalar| {
        let zeros = vec![0; 2 * scalar.dtype().bits() / 8];
        Ok((Tensor::from_bytes(device, scalar.dtype(), &zeros, [2])?, scalar))
    };
    scalars.into_iter().map(operand).collect()
}

/// The library of each product is the judge: what it would refuse is refused by the plan, and what it takes is not, but for
/// results that the product of an operator does not check and would lose.
#[test]
fn what_is_delegated_is_what_the_library_takes() -> Result<(), Box<dyn std::error::Error>> {
    let test = "what_is_delegated_is_what_the_library_takes";
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &PRODUCTS)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let stream = device.stream();
    let is_950 = device.product() == Some(Product::Ascend950);
    let operands = operands_of_every_kind(&device)?;
    let (mut taken, mut refused, mut differ) = (0, 0, Vec::new());
    let mut compare = |what: (&str, [DType; 3]), plan: Result<Plan, Error>, raw: Result<(), Error>| {
        match (plan, raw) {
            (Ok(_), Ok(())) => taken += 1,
            (Err(_), Err(_)) => refused += 1,
            // Muls converts any result to any type before the 950, and Mul on it; there complex numbers take u16 too. Which
            // quotients are f16 there, and so become c32, the plan leaves open.
            (Err(_), Ok(())) if what.0 == "muls" || is_950 && ["mul", "adds"].contains(&what.0) => {}
            (Err(_), Ok(())) if is_950 && what.0 == "divs" && what.1[2] == DType::C32 => {}
            (plan, raw) => differ.push(format!("{what:?}: {plan:?}, {raw:?}")),
        }
    };
    for (a, _) in &operands {
        for (b, scalar) in &operands {
            for (like, _) in operands.iter().step_by(2) {
                let (mut out, dtype) = (like.copy()?, like.dtype());
                let types = [a.dtype(), b.dtype(), dtype];
                macro_rules! compare {
                    ($name:literal, $function:ident, $other:expr, $raw:expr) => {
                        let plan = ops::$function(a, $other).policy(Policy::Delegate).dtype(dtype).plan();
                        compare(($name, types), plan, $raw);
                    };
                }
                compare!("add", add, b, raw_add(&stream, a, b, 1, &mut out));
                compare!("adds", add, *scalar, raw_adds(&stream, a, *scalar, 1, &mut out));
                compare!("mul", mul, b, raw_mul(&stream, a, b, &mut out));
                compare!("muls", mul, *scalar, raw_muls(&stream, a, *scalar, &mut out));
                compare!("div", div, b, raw_div(&stream, a, b, &mut out));
                compare!("divs", div, *scalar, raw_divs(&stream, a, *scalar, &mut out));
            }
            let Ok(plain) = ops::add(a, b).policy(Policy::Delegate).plan() else { continue };
            let mut out = Tensor::empty(&device, [2], plain.dtype())?;
            for (_, alpha) in &operands {
                let plan = ops::add(a, b).policy(Policy::Delegate).alpha(*alpha).plan();
                let types = [a.dtype(), b.dtype(), alpha.dtype()];
                compare(("alpha", types), plan, raw_add(&stream, a, b, *alpha, &mut out));
            }
        }
    }
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(taken > 1000 && refused > 1000, "{taken} {refused}");
    Ok(())
}

/// Operations that can be planned run, and the others are refused by the plan, before anything is launched.
#[test]
fn what_is_planned_runs() -> Result<(), Error> {
    let device = Device::open(0)?;
    let operands = operands_of_every_kind(&device)?;
    macro_rules! runs {
        ($function:ident, $in_place:ident, $a:expr, $b:expr, $policy:expr) => {{
            for out in [
                None,
                Some(DType::F16),
                Some(DType::I32),
                Some(DType::U16),
                Some(DType::Bool),
                Some(DType::C64),
            ] {
                let operation = ops::$function($a, $b).policy($policy);
                let operation = out.map_or(operation.clone(), |out| operation.dtype(out));
                let (plan, run) = (operation.plan(), operation.run());
                let what = (stringify!($function), $a.dtype(), &$b, $policy, out);
                assert_eq!(
                    run.as_ref().map(Tensor::dtype).map_err(ToString::to_string),
                    plan.as_ref().map(Plan::dtype).map_err(ToString::to_string),
                    "{what:?}"
                );
            }
            let mut own = $a.clone();
            let plan = ops::$in_place(&mut own, $b).policy($policy).plan();
            let mut own = $a.clone();
            let run = ops::$in_place(&mut own, $b).policy($policy).run();
            let what = (stringify!($in_place), $a.dtype(), &$b, $policy);
            assert_eq!(run.map_err(|e| e.to_string()), plan.map(drop).map_err(|e| e.to_string()), "{what:?}");
        }};
    }
    for policy in [Policy::Insert, Policy::Delegate, Policy::Auto] {
        for (a, _) in &operands {
            for (b, scalar) in &operands {
                // The tensors are no operands twice, which would be another kind of call.
                let b = &b.copy()?;
                runs!(add, add_in_place, a, b, policy);
                runs!(add, sub_in_place, a, *scalar, policy);
                runs!(mul, mul_in_place, a, b, policy);
                runs!(mul, mul_in_place, a, *scalar, policy);
                runs!(div, div_in_place, a, b, policy);
                runs!(div, div_in_place, a, *scalar, policy);
                runs!(rsub, sub_in_place, a, b, policy);
                runs!(rdiv, div_in_place, a, *scalar, policy);
            }
        }
    }
    Ok(())
}
