//! Element types that operators do not take, or that do not go together.

use aclnn::product::Product;
use aclnn::{Complex, DType, Device, Error, Policy, Tensor, f16, ops};

use super::{Outcome, floats, says};
use crate::support;

#[test]
fn types_without_a_common_one() -> Outcome {
    let device = Device::open(0)?;
    let a = floats(&device)?;
    let b = Tensor::from_slice(&device, &[1u16, 2, 3], [3])?;
    let error =
        says(a.add(&b), &["add", "self f32[2, 3]", "other u16[3]", "u16 promotes only with itself", "cast"]);
    assert!(matches!(error, Error::NotPromotable { .. }));
    says(ops::mul(&a, &b).policy(Policy::Delegate).plan(), &["mul", "u16[3]", "library promotion table"]);
    says(b.add(0.5), &["add(self u16[3], other f64)", "tensor-scalar"]);
    assert_eq!(a.add(1)?.to_vec::<f32>()?, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    Ok(())
}

#[test]
fn types_the_product_does_not_take() -> Outcome {
    let device = Device::open(0)?;
    if device.product() != Some(Product::Ascend910B) {
        support::skipped("the types are those of an Ascend910B");
        return Ok(());
    }
    let a = Tensor::from_slice(&device, &[1u16, 2], [2])?;
    let error = says(
        a.add(&a),
        &[
            "add(self u16[2], other u16[2])",
            "Add does not take u16",
            device.soc_name(),
            "cast to one of these first",
        ],
    );
    assert!(matches!(error, Error::Unsupported { dtype: DType::U16, .. }));
    let small = Tensor::from_slice(&device, &[Complex::new(f16::ONE, f16::ONE)], [1])?;
    let half = Tensor::from_slice(&device, &[f16::ONE], [1])?;
    says(small.add(&half), &["add", "self c32[1]", "other f16[1]", "Add does not take c32"]);
    says(small.cast(DType::C64), &["cast(self c32[1])", "Cast does not take c32", "choose one of these"]);
    says(
        half.cast(DType::F8E4M3FN),
        &["cast(self f16[1])", "Cast does not take f8e4m3fn", "or `onnx::cast`"],
    );
    says(half.cast(DType::String), &["cast(self f16[1])", "does not take string", "`onnx::cast_to_strings`"]);
    let flag = Tensor::from_slice(&device, &[true], [1])?;
    says(ops::rsub(&flag, &flag).plan(), &["rsub", "Rsub does not take bool"]);
    says(
        Tensor::zeros(&device, [2], DType::C32),
        &["zeros(value i32)", "InplaceFillScalar does not take c32", "choose one of these"],
    );
    says(Tensor::arange(&device, 0, 4, 1, DType::I8), &["arange", "Arange does not take i8", "f32 f16"]);
    Ok(())
}

#[test]
fn results_that_do_not_convert() -> Outcome {
    let device = Device::open(0)?;
    let a = floats(&device)?;
    let c = a.cast(DType::C64)?;
    says(
        ops::add(&a, 1).dtype(DType::Bool).run(),
        &["add", "self f32[2, 3]", "result is f32", "bool", "nothing but bool"],
    );
    says(ops::add(&c, 1).dtype(DType::I32).run(), &["result is c64", "i32", "complex"]);
    let mut whole = Tensor::full(&device, [2, 3], 7, DType::I32)?;
    let error = says(
        whole.add_in_place(&a),
        &["add_in_place(self i32[2, 3], other f32[2, 3])", "result is f32", "i32", "into a new tensor"],
    );
    assert!(matches!(error, Error::OutputDType { .. }));
    assert!(!error.to_string().contains("ask for another type"), "{error}");
    says(whole.div_in_place(2), &["div_in_place", "result is f32"]);
    assert_eq!(whole.to_vec::<i32>()?, [7; 6]);
    whole.mul_in_place(2)?;
    assert_eq!(whole.to_vec::<i32>()?, [14; 6]);
    Ok(())
}

#[test]
fn factors_of_the_wrong_type() -> Outcome {
    let device = Device::open(0)?;
    let whole = Tensor::from_slice(&device, &[1i32, 2], [2])?;
    let error = says(
        ops::add(&whole, &whole).alpha(1.0).run(),
        &["add", "self i32[2]", "other i32[2]", "alpha is f64"],
    );
    assert!(matches!(error, Error::Alpha { computed: DType::I32, .. }));
    let real = whole.cast(DType::F32)?;
    says(ops::sub(&real, 1).alpha(Complex::new(1.0f32, 0.0)).run(), &["sub", "alpha is c64", "real number"]);
    says(
        ops::add(&real, Complex::new(f16::ONE, f16::ONE)).run(),
        &["add", "other c32", "CANN has no scalars of c32"],
    );
    assert_eq!(ops::add(&whole, &whole).alpha(-1i8).run()?.to_vec::<i32>()?, [0, 0]);
    Ok(())
}

#[test]
fn truth_values_have_no_negative() -> Outcome {
    let device = Device::open(0)?;
    let flags = Tensor::from_slice(&device, &[true, false], [2])?;
    let refused = if device.product().is_some() { "neg(self bool[2]): Rsubs does not take bool" } else { "" };
    says(flags.neg(), &[refused, "cast to one of these first"]);
    let small = Tensor::from_slice(&device, &[Complex::new(f16::ONE, f16::ONE)], [1])?;
    says(-&small, &["neg(self c32[1])", "Rsubs does not take c32"]);
    let small = Tensor::from_slice(&device, &[1u16], [1])?;
    says(-small, &["neg(self u16[1])", "Rsubs does not take u16"]);
    Ok(())
}

#[test]
fn a_number_that_is_not_divided() -> Outcome {
    let device = Device::open(0)?;
    let unsigned = Tensor::from_slice(&device, &[1u16, 2], [2])?;
    says(ops::rdiv(&unsigned, 0.5).run(), &["rdiv(self u16[2], other f64)", "tensor-scalar"]);
    let real = floats(&device)?;
    says(
        ops::rdiv(&real, &floats(&device)?.flatten_all()?).run(),
        &["rdiv(self f32[2, 3], other f32[6])", "broadcast"],
    );
    says(ops::rdiv(&real, 1).dtype(DType::Bool).run(), &["rdiv", "result is f32"]);
    Ok(())
}

/// By name of the operator, and not by a code of the library.
#[test]
fn types_that_copies_fills_and_casts_do_not_take() -> Outcome {
    let device = Device::open(0)?;
    if device.product() != Some(Product::Ascend910B) {
        support::skipped("the types are those of an Ascend910B");
        return Ok(());
    }
    let mut pair = Tensor::from_slice(&device, &[Complex::new(f16::ONE, f16::ONE)], [1])?;
    let mut single = Tensor::from_slice(&device, &[1.5f32], [1])?;
    let by = |outcome: Result<(), Error>| match outcome {
        Err(Error::Unsupported { by, dtype, .. }) => Some((by, dtype)),
        _ => None,
    };
    assert_eq!(by(pair.copy_from(&single)), Some(("InplaceCopy", DType::C32)));
    assert_eq!(by(single.copy_from(&pair)), Some(("InplaceCopy", DType::C32)));
    assert_eq!(by(pair.fill_in_place(1)), Some(("InplaceFillScalar", DType::C32)));
    assert_eq!(by(single.cast(DType::C32).map(drop)), Some(("Cast", DType::C32)));
    assert_eq!(by(Tensor::linspace(&device, 0, 1, 2, DType::U16).map(drop)), Some(("Linspace", DType::U16)));
    assert_eq!(by(pair.neg().map(drop)), Some(("Rsubs", DType::C32)));
    assert_eq!(by(ops::add(&single, 1).dtype(DType::C32).run().map(drop)), Some(("Cast", DType::C32)));
    assert_eq!(pair.to_vec::<Complex<f16>>()?, [Complex::new(f16::ONE, f16::ONE)]);
    assert_eq!(single.to_vec::<f32>()?, [1.5]);
    Ok(())
}

/// Types that the library of an Ascend310P would refuse are refused before it is asked.
#[test]
fn types_that_an_ascend310p_does_not_multiply_or_normalise() -> Result<(), Box<dyn std::error::Error>> {
    let test = "types_that_an_ascend310p_does_not_multiply_or_normalise";
    let product = [("CANN_STUBS_SOC", "Ascend310P3")];
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &[product])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let of = |shape: &[usize], dtype| Tensor::ones(&device, shape, dtype);
    let (x, weight) = (of(&[2, 3], DType::F16)?, of(&[3], DType::F32)?);
    says(
        x.rms_norm(&weight, 1e-5),
        &["rms_norm(self f16[2, 3], weight f32[3])", "must be f16; cast it first"],
    );
    assert_eq!(x.rms_norm(&weight.cast(DType::F16)?, 0.0)?.to_vec::<f16>()?, [f16::ONE; 6]);
    let inverses = of(&[2, 1], DType::F32)?;
    says(ops::rms_norm_backward(&x, &x, &inverses, &weight), &["rms_norm_backward(", "must be f16"]);

    let (experts, ends) = (of(&[1, 3, 2], DType::F32)?, Tensor::from_slice(&device, &[2i64], [1])?);
    let product = ops::grouped_matmul(&x.cast(DType::F32)?, &experts, &ends).run();
    says(product, &["grouped_matmul(x f32[2, 3]", "GroupedMatmulV3 does not take f32"]);
    let product = ops::grouped_matmul(&x, &experts.cast(DType::F16)?, &ends).run()?;
    assert_eq!(product.to_vec::<f16>()?, [f16::from_f32(3.0); 4]);

    let (bytes, scale) = (of(&[2, 2], DType::I8)?, of(&[1], DType::F32)?);
    let product = ops::quant_matmul(&bytes, &bytes, &scale);
    says(product.clone().dtype(DType::BF16).run(), &["quant_matmul(", "QuantMatmulV4 does not take bf16"]);
    assert_eq!(product.run()?.to_vec::<f16>()?, [f16::from_f32(2.0); 4]);
    Ok(())
}
