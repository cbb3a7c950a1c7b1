//! Bad input: refused with the operator, its operands and the reason; no tensor changes, and the next operation works.

use aclnn::onnx::{self, StringTensor};
use aclnn::product::Product;
use aclnn::{Complex, DType, Device, Error, HostBuffer, Policy, Stream, Tensor, f16, ops};

use crate::support;

type Outcome = Result<(), Error>;

/// The error says all of it.
fn says(result: Result<impl Sized, Error>, parts: &[&str]) -> Error {
    let Err(error) = result else { unreachable!("it should have been refused") };
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
    error
}

fn floats(device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])
}

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
    says(row.copy_from(&a), &["copy_from", "src f32[2, 3]"]);
    assert_eq!(row.to_vec::<f32>()?, [9.0; 3]);

    let deep = Tensor::zeros(&device, [1, 1, 1, 1, 1, 1, 1, 1], DType::F32)?.unsqueeze(0)?;
    says(deep.add(1), &["add", "self has 9 axes", "at most 8"]);
    says(deep.cast(DType::F16), &["cast", "9 axes"]);
    assert_eq!(deep.to_vec::<f32>()?, [0.0]);
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
    says(front.copy_from(&back), &["copy_from", "overlaps src"]);
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
fn slices_of_the_wrong_length_or_type() -> Outcome {
    let device = Device::open(0)?;
    says(Tensor::from_slice(&device, &[1, 2, 3], [2, 2]), &["3 elements", "[2, 2]", "4"]);
    says(Tensor::from_slice(&device, &[1, 2, 3], [usize::MAX, 2]), &["more than can be counted"]);
    let mut a = floats(&device)?;
    says(a.to_vec::<f16>(), &["holds f32", "not f16", "cast"]);
    says(a.copy_from_slice(&[1.0f32]), &["1 elements"]);
    says(a.copy_from_slice(&[1i32; 6]), &["holds f32", "i32", "use f32 here"]);
    let whole =
        says(Tensor::from_bytes(&device, DType::F32, &[0; 3], [1]), &["3 bytes", "f32[1]", "takes 4"]);
    assert!(!whole.to_string().contains("packed"), "{whole}");
    says(Tensor::from_bytes(&device, DType::I4, &[0; 3], [2]), &["i4[2]", "takes 1", "packed"]);
    says(Tensor::zeros(&device, [usize::MAX / 8], DType::F64), &["f64", "larger than any memory"]);
    says(Tensor::zeros(&device, [2], DType::U4), &["InplaceFillScalar"]);
    assert_eq!(a.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    Ok(())
}

#[test]
fn errors_about_data_of_the_host_name_function_and_operands() -> Outcome {
    let device = Device::open(0)?;
    let mut a = floats(&device)?;
    let turned = a.transpose(0, 1)?;
    let most = [0, usize::MAX];
    let words = StringTensor::new(["1", "x"], [2])?;
    let mut refusals = vec![
        (
            Tensor::from_slice(&device, &[1i8, 2, 3], [2, 2]).map(drop),
            "from_slice(elements i8[3]): 3 elements do not fill shape [2, 2], which has 4",
        ),
        (
            Tensor::from_vec(&device, vec![true], ())
                .and(Tensor::from_vec(&device, vec![1u8; 2], 3))
                .map(drop),
            "from_vec(elements u8[2]): 2 elements do not fill shape [3], which has 3",
        ),
        (
            Tensor::from_slice::<f32>(&device, &[], most).map(drop),
            "from_slice(elements f32[0]): a tensor of f32[0, 18446744073709551615] is refused: an axis is longer than an i64 can count",
        ),
        (
            Tensor::from_bytes(&device, DType::F64, &[0; 12], [2]).map(drop),
            "from_bytes(bytes u8[12]): 12 bytes were given for f64[2], which takes 16",
        ),
        (
            Tensor::from_bytes(&device, DType::String, &[0; 12], [2]).map(drop),
            "from_bytes(bytes u8[12]): a tensor of string[2] is refused: strings live on the host",
        ),
        (
            a.copy_from_slice(&[1.0f32; 5]),
            "copy_from_slice(self f32[2, 3], elements f32[5]): 5 elements do not fill shape [2, 3], which has 6",
        ),
        (
            a.copy_from_slice(&[1i64; 6]),
            "copy_from_slice(self f32[2, 3], elements i64[6]): the tensor holds f32, not i64; use f32 here, or cast the tensor to i64 first",
        ),
        (
            a.to_vec::<f16>().map(drop),
            "to_vec(self f32[2, 3]): the tensor holds f32, not f16; use f32 here, or cast the tensor to f16 first",
        ),
        (
            a.item::<f32>().map(drop),
            "item(self f32[2, 3]): the tensor has 6 elements, not one; select one first",
        ),
        (
            a.select(0, 0)?.select(0, 0)?.item::<u8>().map(drop),
            "item(self f32[]): the tensor holds f32, not u8; use f32 here, or cast the tensor to u8 first",
        ),
        (
            Tensor::empty(&device, most, DType::F32).map(drop),
            "empty(): a tensor of f32[0, 18446744073709551615] is refused: an axis is longer than an i64 can count",
        ),
        (
            Tensor::zeros(&device, most, DType::F32).map(drop),
            "zeros(value i32): a tensor of f32[0, 18446744073709551615] is refused: an axis is longer than an i64 can count",
        ),
        (
            StringTensor::new(["1", "2"], [3]).map(drop),
            "StringTensor(strings string[2]): 2 elements do not fill shape [3], which has 3",
        ),
        (
            onnx::cast_from_strings(&device, &words, DType::F32, Default::default()).map(drop),
            "Cast(input string[2]): ",
        ),
    ];
    // Of a buffer that a copy beside the host would take.
    let buffer = HostBuffer::from_slice(&device, &[1.0f32; 5])?;
    refusals.push((
        a.upload(buffer).map(drop).map_err(Error::from),
        "upload(self f32[2, 3], buffer f32[5]): 5 elements do not fill shape [2, 3], which has 6",
    ));
    let buffer = HostBuffer::from_slice(&device, &[1i32; 6])?;
    refusals.push((a.download(buffer).map(drop).map_err(Error::from), "download(self f32[2, 3], buffer i32[6]): the tensor holds f32, not i32; use f32 here, or cast the tensor to i32 first"));
    let buffer = HostBuffer::from_slice(&device, &[1.0f32; 6])?;
    refusals.push((
        turned.download(buffer).map(drop).map_err(Error::from),
        "download(self f32[3, 2], buffer f32[6]): the elements do not lie",
    ));
    // Shapes of results and views.
    let half = Tensor::from_slice(&device, &[f16::ONE], [1])?;
    let wide = half.broadcast_to([1 << 61])?;
    refusals.push((wide.add(1.0).map(drop), "add(self f16[2305843009213693952], other f64): a tensor of f16[2305843009213693952] is refused: it would be larger than any memory"));
    refusals.push((wide.cast(DType::F32).map(drop), "cast(self f16[2305843009213693952]): a tensor of f32[2305843009213693952] is refused: it would be larger than any memory"));
    refusals.push((wide.neg().map(drop), "neg(self f16[2305843009213693952]): a tensor"));
    refusals.push((wide.copy().map(drop), "copy(self f16[2305843009213693952]): a tensor"));
    refusals.push((
        wide.zeros_like().map(drop),
        "zeros_like(self f16[2305843009213693952], value i32): a tensor",
    ));
    refusals.push((wide.empty_like().map(drop), "empty_like(self f16[2305843009213693952]): a tensor"));
    refusals.push((half.broadcast_to([1 << 63]).map(drop), "broadcast_to(self f16[1]): a tensor of f16[9223372036854775808] is refused: an axis is longer than an i64 can count"));
    refusals.push((Tensor::linspace(&device, 0, 1, 1 << 62, DType::F32).map(drop), "linspace(start i32, end i32): a tensor of f32[4611686018427387904] is refused: it would be larger than any memory"));
    for (refused, text) in refusals {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}\nis not\n{text}");
    }
    assert_eq!(a.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
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
        ops::rdiv(&real, &floats(&device)?.flatten()?).run(),
        &["rdiv(self f32[2, 3], other f32[6])", "broadcast"],
    );
    says(ops::rdiv(&real, 1).dtype(DType::Bool).run(), &["rdiv", "result is f32"]);
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
fn too_much_memory() -> Outcome {
    let device = Device::open(0)?;
    let before = device.memory_info()?;
    let parts = ["zeros(value i32): device 0 has no", "bytes", "free", "drop tensors"];
    let error = says(Tensor::zeros(&device, [before.total], DType::F64), &parts);
    let Error::OutOfMemory { requested, total, .. } = error else { panic!("{error:?}") };
    assert_eq!((requested, total), (before.total * 8, before.total));
    says(Tensor::empty(&device, [before.total], DType::F64), &["empty(): device 0 has no"]);
    let wide = Tensor::ones(&device, [1], DType::F32)?.broadcast_to([before.total])?;
    says(wide.add(1), &["add(self f32[", "other i32): device 0 has no"]);
    says(wide.cast(DType::F64), &["cast(self f32["]);
    assert_eq!(Tensor::zeros(&device, [2], DType::F64)?.to_vec::<f64>()?, [0.0; 2]);
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
    says(Tensor::linspace(&device, 0, 1, usize::MAX, DType::F32), &["f32[18446744073709551615]"]);
    let empty = Tensor::zeros(&device, [0, 1 << 62], DType::F32)?;
    assert!(empty.add(1)?.to_vec::<f32>()?.is_empty());
    Ok(())
}

#[test]
fn devices_that_do_not_exist() -> Outcome {
    let count = Device::count()?;
    let error = says(Device::open(count as i32), &["aclrtSetDevice", "device"]);
    assert!(error.code().is_some());
    says(Device::open(-1), &["aclrtSetDevice"]);
    Device::open(0)?;
    Ok(())
}

#[test]
fn operands_of_two_devices() -> Result<(), Box<dyn std::error::Error>> {
    let (test, two) = ("operands_of_two_devices", [("CANN_STUBS_DEVICES", "2")]);
    if !support::has_two_devices()? || !support::is_alone(module_path!(), test, &[two])? {
        return Ok(());
    }
    let (first, second) = (Device::open(0)?, Device::open(1)?);
    let (a, b) = (floats(&first)?, floats(&second)?);
    says(a.add(&b), &["add(self f32[2, 3], other f32[2, 3])", "devices 0 and 1"]);
    says(ops::add(&a, 1).on(&Stream::new(&second)?).run(), &["devices 1 and 0"]);
    says(first.stream().wait(&second.stream().record()?), &["devices 0 and 1"]);
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
