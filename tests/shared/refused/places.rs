//! Data of the host, memory and devices.

use aclnn::onnx::{self, StringTensor};
use aclnn::{DType, Device, Error, HostBuffer, Stream, Tensor, f16, ops};

use super::{Outcome, floats, says};
use crate::support;

#[test]
fn slices_of_the_wrong_length_or_type() -> Outcome {
    let device = Device::open(0)?;
    says(Tensor::from_slice(&device, &[1, 2, 3], [2, 2]), &["3 elements", "[2, 2]", "4"]);
    says(Tensor::from_slice(&device, &[1, 2, 3], [usize::MAX, 2]), &["more than can be counted"]);
    let mut a = floats(&device)?;
    says(a.to_vec::<f16>(), &["holds f32", "not f16", "cast"]);
    says(a.copy_from_slice(&[1.0f32]), &["1 element does not fill"]);
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
            "from_slice(elements f32[0]): a tensor of f32[0, 18446744073709551615] is refused: without its empty axes it would have more elements than an i64 can count",
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
            a.copy_to_slice(&mut [0.0f32; 7]),
            "copy_to_slice(self f32[2, 3], elements f32[7]): 7 elements do not fill shape [2, 3], which has 6",
        ),
        (
            a.copy_to_slice(&mut [0i8; 6]),
            "copy_to_slice(self f32[2, 3], elements i8[6]): the tensor holds f32, not i8; use f32 here, or cast the tensor to i8 first",
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
            "empty(): a tensor of f32[0, 18446744073709551615] is refused: without its empty axes it would have more elements than an i64 can count",
        ),
        (
            Tensor::zeros(&device, most, DType::F32).map(drop),
            "zeros(value i32): a tensor of f32[0, 18446744073709551615] is refused: without its empty axes it would have more elements than an i64 can count",
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
    refusals.push((half.broadcast_to([1 << 63]).map(drop), "broadcast_to(self f16[1]): a tensor of f16[9223372036854775808] is refused: it has more elements than an i64 can count"));
    refusals.push((Tensor::linspace(&device, 0, 1, 1 << 62, DType::F32).map(drop), "linspace(start i32, end i32): a tensor of f32[4611686018427387904] is refused: it would be larger than any memory"));
    for (refused, text) in refusals {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}\nis not\n{text}");
    }
    assert_eq!(a.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
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
