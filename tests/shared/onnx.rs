//! The front ends of ONNX and OpenVINO: the node tests of the onnx package on the device, plans, and what is refused.
//!
//! The node tests are collected by `xtask/golden/onnx_cast.py`, which describes the file.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use aclnn::onnx::{self, CastOptions, RoundMode, StringTensor, To};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Scalar, Tensor, bf16, f16, openvino};
use aclnn_numerics::convert::onnx as described;

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().expect("as many as were taken")
    }

    fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }
}

/// An input or output of a node.
struct Value<'a> {
    dtype: DType,
    shape: Vec<usize>,
    bytes: &'a [u8],
}

impl<'a> Value<'a> {
    fn read(file: &mut Reader<'a>) -> Self {
        let dtype = DType::from_onnx_code(file.u8().into()).expect("an ONNX type");
        let rank = file.u8();
        let shape = (0..rank).map(|_| file.u32() as usize).collect();
        let length = file.u32() as usize;
        Value { dtype, shape, bytes: file.take(length) }
    }

    fn strings(&self) -> Vec<String> {
        let mut rest = Reader(self.bytes);
        let mut strings = Vec::new();
        while !rest.0.is_empty() {
            let length = rest.u32() as usize;
            strings.push(String::from_utf8(rest.take(length).to_vec()).expect("UTF-8"));
        }
        strings
    }

    fn tensor(&self, device: &Device) -> Tensor {
        Tensor::from_bytes(device, self.dtype, self.bytes, &self.shape[..]).expect("a tensor")
    }

    /// A scalar of a range.
    fn scalar(&self) -> Scalar {
        let bytes =
            |count| <[u8; 8]>::try_from([self.bytes, &[0; 8]].concat()[..8].to_vec()).map(|all| (count, all));
        let (_, all) = bytes(self.bytes.len()).expect("eight bytes");
        let code = u64::from_le_bytes(all);
        match self.dtype {
            DType::F32 => f32::from_bits(code as u32).into(),
            DType::F64 => f64::from_bits(code).into(),
            DType::I16 => (code as i16).into(),
            DType::I32 => (code as i32).into(),
            DType::I64 => (code as i64).into(),
            other => panic!("{other} is no type of Range"),
        }
    }
}

fn device() -> Device {
    Device::open(0).expect("a device")
}

#[test]
fn every_node_test_runs_through_the_safe_layer() {
    let device = device();
    let mut file = Reader(include_bytes!("../../numerics/tests/data/onnx_nodes.bin"));
    let (mut on_device, mut on_host, mut departed) = (0, 0, 0);
    let tests = file.u32();
    for _ in 0..tests {
        let length = usize::from(u16::from_le_bytes(file.array()));
        let name = String::from_utf8_lossy(file.take(length)).into_owned();
        let (operator, opset) = (file.u8(), u32::from(file.u8()));
        let to = i32::from_le_bytes(file.array());
        let (saturate, mode) = (file.u8() != 0, file.u8());
        let counts = [file.u8(), file.u8()];
        let inputs: Vec<Value<'_>> = (0..counts[0]).map(|_| Value::read(&mut file)).collect();
        let output = Value::read(&mut file);
        if operator >= 2 {
            let [start, limit, delta] = [0, 1, 2].map(|index| inputs[index].scalar());
            let range = onnx::range(&device, start, limit, delta);
            let range = if operator == 3 { range.by_function_body() } else { range };
            let elements = range.run().and_then(|range| range.to_bytes()).expect("a range");
            assert_eq!(elements, output.bytes, "{name}");
            continue;
        }
        let round_mode = match mode {
            1 => RoundMode::Down,
            2 => RoundMode::Nearest,
            _ => RoundMode::Up,
        };
        let options = CastOptions { saturate, round_mode, opset };
        if output.dtype == DType::String {
            let strings = onnx::cast_to_strings(&inputs[0].tensor(&device), options).expect("strings");
            assert_eq!(&strings.shape()[..], &output.shape[..], "{name}");
            departed += u32::from(strings.strings() != output.strings());
            continue;
        }
        let result = if inputs[0].dtype == DType::String {
            let strings = StringTensor::new(inputs[0].strings(), &inputs[0].shape[..]).expect("strings");
            onnx::cast_from_strings(&device, &strings, output.dtype, options).expect("numbers")
        } else {
            let input = inputs[0].tensor(&device);
            let cast = match (operator, to) {
                (0, 0..) => onnx::cast(&input, To::Code(to.into())).options(options),
                (0, _) => onnx::cast(&input, output.dtype).options(options),
                _ => onnx::cast_like(&input, &inputs[1].tensor(&device)).options(options),
            };
            let planned = cast.plan().expect("a described cast");
            if planned.is_on_device() {
                on_device += 1
            } else {
                on_host += 1
            }
            cast.run().expect("a described cast")
        };
        assert_eq!((result.dtype(), &result.shape()[..]), (output.dtype, &output.shape[..]), "{name}");
        let got = result.to_bytes().expect("the result");
        if got != output.bytes {
            // Older tests that later ones, or the table, contradict: the numerics know and test which.
            let mut expected = vec![0; got.len()];
            let count = result.numel();
            if inputs[0].dtype == DType::String {
                described::cast_from_strings(&inputs[0].strings(), output.dtype, options, &mut expected)
            } else {
                described::cast(inputs[0].dtype, output.dtype, options, inputs[0].bytes, count, &mut expected)
            }
            .expect("a described cast");
            assert_eq!(got, expected, "{name}");
            departed += 1;
        }
    }
    assert!(file.0.is_empty());
    assert!(on_device > 10 && on_host > 100, "{on_device} on the device, {on_host} on the host");
    assert!(departed * 4 < tests, "{departed} of {tests} tests are not followed");
}

#[test]
fn plans_tell_where_and_why() {
    let device = device();
    let plan = |tensor: &Tensor, to| onnx::cast(tensor, to).plan().expect("a plan").to_string();
    let floats = Tensor::ones(&device, [2], DType::F32).expect("a tensor");
    let doubles = Tensor::ones(&device, [2], DType::F64).expect("a tensor");
    let to_bf16 = match device.product() {
        Some(Product::Ascend310P) => "Cast-25: f32→bf16 on the host, which the device cannot do",
        _ => "Cast-25: Cast f32→bf16 on the device",
    };
    assert_eq!(plan(&floats, DType::BF16), to_bf16);
    assert_eq!(plan(&floats, DType::F32), "Cast-25: a copy of f32 on the device");
    assert_eq!(
        plan(&doubles, DType::F16),
        "Cast-25: f64→f16 on the host, as the device is not known to do it exactly"
    );
    assert_eq!(plan(&floats, DType::U4), "Cast-25: f32→u4 on the host, which the device cannot do");
    let like = onnx::cast_like(&floats, &doubles).opset(19).plan().expect("a plan");
    assert_eq!(like.to_string(), "CastLike-19: Cast f32→f64 on the device");

    let range = |start: f32, limit: f32, delta: f32| {
        onnx::range(&device, start, limit, delta).plan().expect("a plan").to_string()
    };
    assert_eq!(range(1.0, 2.5, 0.5), "Range-11: 3 × f32 by Arange on the device");
    assert_eq!(range(5.0, 1.0, 1.0), "Range-11: 0 × f32, nothing to do");
    assert_eq!(
        range(0.0, 1.0, 0.1),
        "Range-11: 10 × f32 on the host, as the device is not known to make them exactly"
    );
    let bytes = openvino::range(&device, 250, 260, 1, DType::U8);
    assert_eq!(
        bytes.plan().expect("a plan").to_string(),
        "Range-4: 10 × u8 by Arange i64 and Cast on the device"
    );
}

/// The worked examples of both pages.
#[test]
fn ranges_of_the_descriptions() {
    let device = device();
    let integers = |range: onnx::Range| range.run().and_then(|range| range.to_vec::<i32>()).expect("a range");
    assert_eq!(integers(onnx::range(&device, 3, 9, 3)), [3, 6]);
    assert_eq!(integers(onnx::range(&device, 10, 4, -2)), [10, 8, 6]);
    assert_eq!(integers(onnx::range(&device, 10, 4, 2)), [0; 0]);
    let openvino = |start: i32, stop: i32, step: i32| {
        let range = openvino::range(&device, start, stop, step, DType::I32);
        range.run().and_then(|range| range.to_vec::<i32>()).expect("a range")
    };
    assert_eq!(openvino(2, 23, 3), [2, 5, 8, 11, 14, 17, 20]);
    assert_eq!(openvino(23, 2, -3), [23, 20, 17, 14, 11, 8, 5]);
    let floats = openvino::range(&device, 1, 2.5, 0.5, DType::F32);
    assert_eq!(floats.run().and_then(|range| range.to_vec::<f32>()).expect("a range"), [1.0, 1.5, 2.0]);
    // Past 2048 an f16 range does not stick.
    let halves = openvino::range(&device, 2046, 2053, 1, DType::F16);
    let halves = halves.run().and_then(|range| range.to_vec::<f16>()).expect("a range");
    assert_eq!(halves, [2046.0, 2047.0, 2048.0, 2048.0, 2050.0, 2050.0, 2052.0].map(f16::from_f32));
    let bytes = openvino::range(&device, 250, 260, 1, DType::U8).run().and_then(|range| range.to_vec::<u8>());
    assert_eq!(bytes.expect("a range"), [250, 251, 252, 253, 254, 255, 0, 1, 2, 3]);
}

#[test]
fn packed_types_are_made_viewed_moved_and_cast() {
    let device = device();
    // 1 -1 7 / -8 3 0 as int4, the first one low.
    let packed = Tensor::from_bytes(&device, DType::I4, &[0xF1, 0x87, 0x03], [2, 3]).expect("a tensor");
    assert_eq!(packed.to_bytes().expect("bytes"), [0xF1, 0x87, 0x03]);
    let row = packed.select(0, 1).expect("a view");
    assert_eq!(row.to_bytes().expect("bytes"), [0x38, 0x00], "-8 3 0");
    let turned = packed.transpose(0, 1).expect("a view");
    let values = onnx::cast(&turned, DType::I8).run().and_then(|cast| cast.to_vec::<i8>()).expect("a cast");
    assert_eq!(values, [1, -8, -1, 3, 7, 0]);
    assert_eq!(turned.copy().and_then(|copy| copy.to_bytes()).expect("a copy"), [0x81, 0x3F, 0x07]);
    let crumbs = onnx::cast(&row, DType::U2).run().and_then(|cast| cast.to_bytes()).expect("a cast");
    assert_eq!(crumbs, [0b00_11_00], "the low bits of -8, 3, 0");

    let error = packed.add(1).expect_err("no arithmetic on int4");
    for word in ["add", "self i4[2, 3]", "cast"] {
        assert!(error.to_string().contains(word), "{word:?} is not in {error}");
    }
    let error = Tensor::from_bytes(&device, DType::I4, &[0; 2], [2, 3]).expect_err("three bytes are needed");
    assert!(error.to_string().contains("takes 3"), "{error}");
}

#[test]
fn what_is_not_described_is_refused_with_the_version_that_has_it() {
    let device = device();
    let floats = Tensor::ones(&device, [2], DType::F32).expect("a tensor");
    let refused = |cast: onnx::Cast<'_>| match cast.run() {
        Err(error @ Error::Cast { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let message = refused(onnx::cast(&floats, DType::BF16).opset(9));
    assert_eq!(
        message,
        "Cast(input f32[2]): bf16 is not a type of ONNX Cast at opset 9: version 13 first allows it"
    );
    assert!(refused(onnx::cast(&floats, DType::C64)).contains("not a type of ONNX Cast in any version"));
    assert!(refused(onnx::cast(&floats, DType::F16).opset(0)).contains("opset 0"));
    assert!(refused(onnx::cast(&floats, To::Name("FLOAT16"))).contains("as the code"));
    let by_name = onnx::cast(&floats, To::Name("FLOAT16")).opset(1);
    assert_eq!(by_name.run().expect("version 1 takes names").dtype(), DType::F16);

    let strings = StringTensor::new(["1e2", "one", "3"], [3]).expect("strings");
    let error = onnx::cast_from_strings(&device, &strings, DType::F32, CastOptions::default());
    let error = error.expect_err("no number").to_string();
    assert_eq!(error, "Cast(input string[3]): string 1 is not a number: \"one\"");
    let error = onnx::cast_from_strings(&device, &strings, DType::String, CastOptions::default());
    assert!(error.expect_err("no cast").to_string().contains("Cast"));
    let error = onnx::range(&device, 0.0f32, 1e17f32, 1.0f32).run().expect_err("too many");
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    let strings = StringTensor::new(["-INF", "0.1"], [2]).expect("strings");
    let numbers = onnx::cast_from_strings(&device, &strings, DType::BF16, CastOptions::default());
    let numbers = numbers.expect("numbers");
    assert_eq!(numbers.to_vec::<bf16>().expect("a bf16"), [bf16::NEG_INFINITY, bf16::from_f32(0.1)]);
    let text = onnx::cast_to_strings(&floats, CastOptions::default()).expect("text");
    assert_eq!(text.strings(), ["1.0", "1.0"]);

    let error = onnx::range(&device, 1, 5, 0).run().expect_err("a step of zero");
    assert!(error.to_string().starts_with("Range-11(start i32, limit i32, delta i32): step 0"), "{error}");
    let error = onnx::range(&device, 1, 5.0, 1).run().expect_err("two types");
    assert!(error.to_string().contains("must have one type"), "{error}");
}

/// CastLike came with opset 15; the versions are those of the onnx package.
#[test]
fn cast_like_before_version_15_does_not_exist() {
    let device = device();
    let (floats, like) = (Tensor::ones(&device, [2], DType::F32), Tensor::zeros(&device, [1], DType::I8));
    let (floats, like) = (floats.expect("a tensor"), like.expect("a tensor"));
    let plan = |opset| onnx::cast_like(&floats, &like).opset(opset).plan();
    for opset in [1, 9, 13, 14] {
        let error = plan(opset).expect_err("no such operator").to_string();
        let why = format!("opset {opset} has no CastLike: version 15 is the first; use Cast with the type");
        assert_eq!(error, format!("CastLike(input f32[2]): {why}"));
        assert!(onnx::cast(&floats, DType::I8).opset(opset).plan().is_ok());
    }
    for (opset, version) in
        [(15, 15), (18, 15), (19, 19), (20, 19), (21, 21), (22, 21), (23, 23), (24, 24), (25, 25)]
    {
        assert_eq!(plan(opset).expect("described").version(), version, "{opset}");
    }
    assert_eq!(plan(15).expect("described").to_string(), "CastLike-15: Cast f32→i8 on the device");
}

#[test]
fn a_cast_takes_the_type_or_the_attribute_of_the_model() {
    let device = device();
    let values = Tensor::from_slice(&device, &[1.5f32, -2.0], [2]).expect("a tensor");
    for to in [To::Type(DType::I32), To::Code(6), DType::I32.into()] {
        assert_eq!(
            onnx::cast(&values, to).run().and_then(|cast| cast.to_vec::<i32>()).expect("a cast"),
            [1, -2]
        );
    }
    let error = onnx::cast(&values, To::Code(99)).plan().expect_err("no type");
    assert_eq!(error.to_string(), "Cast(input f32[2]): `to` is 99, which is no code of an ONNX type");
}

/// A model has the inputs of a range as tensors without axes.
#[test]
fn ranges_take_tensors_without_axes() {
    let device = device();
    let stream = aclnn::Stream::new(&device).expect("a stream");
    let of = |value: i32| Tensor::full(&stream, &[0; 0][..], value, DType::I32).expect("a tensor");
    let (start, limit, delta) = (of(10), of(4), of(-2));
    let range = onnx::range(&device, &start, &limit, &delta);
    assert_eq!(range.plan().expect("a plan").to_string(), "Range-11: 3 × i32 by Arange on the device");
    assert_eq!(range.run().and_then(|range| range.to_vec::<i32>()).expect("a range"), [10, 8, 6]);
    let mixed = onnx::range(&device, &start, 4, Scalar::from(-3));
    assert_eq!(mixed.run().and_then(|range| range.to_vec::<i32>()).expect("a range"), [10, 7]);
    // Work that is queued on the other stream is waited for.
    let later = start.add(1).expect("a sum");
    let range = openvino::range(
        &device,
        &later,
        13u8,
        &Tensor::full(&device, &[0; 0][..], 0.5, DType::F16).expect("a tensor"),
        DType::F32,
    );
    assert_eq!(
        range.run().and_then(|range| range.to_vec::<f32>()).expect("a range"),
        [11.0, 11.5, 12.0, 12.5]
    );

    let line = Tensor::zeros(&device, [1], DType::I32).expect("a tensor");
    let error = onnx::range(&device, 0, &line, 1).plan().expect_err("an axis");
    assert_eq!(
        error.to_string(),
        "Range-11(limit i32[1]): limit has 1 axes, and a range takes tensors without any; select one element"
    );
    let error = openvino::range(&device, 0, &of(5).cast(DType::C64).expect("a cast"), 1, DType::F32).plan();
    assert!(error.expect_err("complex").to_string().contains("stop is 5+0i, not a real number"));
}

#[test]
fn ranges_of_openvino_by_its_page_and_as_its_library_makes_them() {
    let device = device();
    let range = |start: f64, stop: f64, step: f64| openvino::range(&device, start, stop, step, DType::F32);
    let elements =
        |range: openvino::Range| range.run().and_then(|range| range.to_vec::<f32>()).expect("a range");
    let (page, library) = (elements(range(0.0, 1.0, 0.1)), elements(range(0.0, 1.0, 0.1).as_implemented()));
    assert_eq!((page.len(), library.len()), (10, 10));
    // As openvino 2026.4 prints them, of which only 0.3 and 0.9 are not the nearest f32.
    assert_eq!(library, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.90000004]);
    assert_eq!(page[..2], [0.0, 0.099999994]);
    let descending = openvino::range(&device, 23, 2, -3f32, DType::U8);
    let descending = descending.run().and_then(|range| range.to_vec::<u8>()).expect("a range");
    assert_eq!(descending, [23, 20, 17, 14, 11, 8, 5]);
    let one = openvino::range(&device, 2147483648i64, 2147483647i32, -1f32, DType::F32);
    assert_eq!(elements(one), [2147483648.0]);
}

/// Against the arithmetic, spelled out.
#[test]
fn the_host_converts_and_makes_elements_block_by_block() {
    let device = device();
    // More than three blocks, and an element in half of a byte.
    let count = 200_001;
    let values: Vec<f32> = (0..count).map(|i| (i % 16) as f32).collect();
    let all = Tensor::from_slice(&device, &values, [count]).expect("a tensor");
    let packed = onnx::cast(&all, DType::U4).run().expect("a cast");
    let codes = packed.to_bytes().expect("bytes");
    assert_eq!(codes.len(), 100_001);
    let (last, pairs) = codes.split_last().expect("bytes");
    assert!(
        pairs
            .iter()
            .enumerate()
            .all(|(i, &pair)| pair == [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE][i % 8])
    );
    assert_eq!(*last, 0x00);
    let floats = |input: &Tensor| onnx::cast(input, DType::F32).run().and_then(|cast| cast.to_vec::<f32>());
    assert!(floats(&packed).expect("a cast") == values);
    // From the middle of a byte on, and in the other order.
    assert!(floats(&packed.slice(0, 1..count).expect("a view")).expect("a cast") == values[1..]);
    let square = packed.slice(0, 0..200_000).and_then(|even| even.reshape([2, 100_000])).expect("a view");
    let turned = floats(&square.transpose(0, 1).expect("a view")).expect("a cast");
    assert!(turned.chunks(2).zip(&values).all(|(pair, value)| pair == [*value, *value]));

    let multiplied = openvino::range(&device, 0.0, 20_000.0, 0.1, DType::F32).as_implemented();
    assert!(multiplied.plan().expect("a plan").to_string().contains("host"));
    let multiplied = multiplied.run().and_then(|range| range.to_vec::<f32>()).expect("a range");
    assert!(multiplied.len() == 200_000 && multiplied.iter().enumerate().all(|(i, &x)| x == 0.1 * i as f32));
    let added = onnx::range(&device, 0f32, 20_000f32, 0.1f32).by_function_body();
    let added = added.run().and_then(|range| range.to_vec::<f32>()).expect("a range");
    assert!(added.len() > 199_000 && added.windows(2).all(|pair| pair[1] == pair[0] + 0.1));
}

#[test]
fn strings_are_constants_of_a_model_and_are_cast_to_strings_and_numbers() {
    let device = device();
    let words = StringTensor::new(["1.5", "NaN", "2", "-0", "1e3", "7"], [2, 3]).expect("strings");
    assert_eq!((words.shape().to_string(), words.strings().len()), ("[2, 3]".to_owned(), 6));
    assert_eq!(onnx::cast_strings(&words, CastOptions::default()).expect("version 25 has strings"), words);
    let error = onnx::cast_strings(&words, CastOptions { opset: 8, ..CastOptions::default() });
    assert_eq!(
        error.expect_err("version 6 has none").to_string(),
        "Cast(input string[2, 3]): string is not a type of ONNX Cast at opset 8: version 9 first allows it"
    );
    let numbers =
        onnx::cast_from_strings(&device, &words, To::Code(11), CastOptions::default()).expect("numbers");
    assert_eq!((numbers.dtype(), numbers.shape()), (DType::F64, words.shape()));
    let back = onnx::cast_to_strings(&numbers, CastOptions::default()).expect("strings");
    assert_eq!(back.shape(), words.shape());
    assert_eq!(back.into_strings(), ["1.5", "nan", "2.0", "-0.0", "1000.0", "7.0"]);
    let error = StringTensor::new(["a"], [2]).expect_err("one string is missing");
    assert!(matches!(error, Error::Length { given: 1, .. }), "{error}");
    // A number of five hundred digits is not repeated.
    let long = StringTensor::new([format!("{}x", "9".repeat(500))], [1]).expect("a string");
    let error =
        onnx::cast_from_strings(&device, &long, DType::F32, CastOptions::default()).expect_err("no number");
    assert!(error.to_string().len() < 150, "{error}");
}

#[test]
fn numbers_in_messages_have_exponents_instead_of_301_digits() {
    let device = device();
    let error = openvino::range(&device, 0, 1e300, 1, DType::F64).plan().expect_err("too many");
    assert_eq!(
        error.to_string(),
        "Range-4(start i32, stop f64, step i32): a range from 0 to 1e300 by 1 has more elements than can be counted"
    );
    assert_eq!(Scalar::from(-1e300).to_string(), "-1e300");
    assert_eq!(Scalar::from(aclnn::Complex::new(1e300, -1e-300)).to_string(), "1e300-1e-300i");
    assert_eq!(
        [0.5, 123456.0, -0.0, 1e15, f64::INFINITY].map(|v| Scalar::from(v).to_string()),
        ["0.5", "123456", "-0", "1000000000000000", "inf"]
    );
    let error = Tensor::full(&device, [2], aclnn::Complex::new(1e300, 0.0), DType::F32).and(Tensor::arange(
        &device,
        1e300,
        0,
        1,
        DType::F32,
    ));
    assert!(error.is_err_and(|error| error.to_string().len() < 300));
}
