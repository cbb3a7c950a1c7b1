//! ONNX Cast and Range and the small formats against golden vectors of the references, and the node tests of ONNX.
//!
//! `xtask/golden/onnx_cast.py` makes the vectors and describes the files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use aclnn_numerics::convert::cann::ScalarValue;
use aclnn_numerics::convert::onnx::{
    Cast, CastOptions, RoundMode, cast_from_strings, cast_to_strings, version,
};
use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::convert::small::{Beyond, FloatFormat};
use aclnn_numerics::range::{RangeError, Sequence, onnx, onnx_body};
use aclnn_numerics::{DType, Element};

struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, bytes: usize) -> &'static [u8] {
        let (head, tail) = self.0.split_at(bytes);
        self.0 = tail;
        head
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().unwrap()
    }

    fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn u32(&mut self) -> usize {
        u32::from_le_bytes(self.array()) as usize
    }

    fn dtype(&mut self) -> DType {
        DType::from_onnx_code(self.u8().into()).unwrap()
    }
}

/// Bytes of an element where each has its own.
fn size(dtype: DType) -> usize {
    dtype.bits().div_ceil(8)
}

fn codes(dtype: DType, bytes: &[u8]) -> Vec<u64> {
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    bytes.chunks(size(dtype)).map(element).collect()
}

fn packed(dtype: DType, codes: &[u64]) -> Vec<u8> {
    let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()[..size(dtype)].to_vec()).collect();
    let Some(width) = Width::of(dtype) else { return bytes };
    let mut packed = vec![0xEE; dtype.storage_bytes(codes.len()).unwrap()];
    width.pack(&bytes, &mut packed);
    packed
}

fn unpacked(dtype: DType, bytes: &[u8], count: usize) -> Vec<u64> {
    let Some(width) = Width::of(dtype) else { return codes(dtype, bytes) };
    let mut unpacked = vec![0xEE; count];
    width.unpack(bytes, &mut unpacked);
    codes(dtype, &unpacked)
}

/// A NaN reduced to its sign, so that payloads do not matter.
fn comparable(dtype: DType, code: u64) -> u64 {
    let (fraction, bits) = match dtype {
        DType::F16 => (10, 16),
        DType::BF16 => (7, 16),
        DType::F32 => (23, 32),
        DType::F64 => (52, 64),
        DType::F8E5M2 => (2, 8),
        _ => return code,
    };
    let sign = 1u64 << (bits - 1);
    let infinity = sign - (1 << fraction);
    if code & (sign - 1) > infinity { code & sign | infinity | 1 << (fraction - 1) } else { code }
}

fn assert_same(context: &str, from: DType, source: &[u64], to: DType, got: &[u64], want: &[u64]) {
    assert_eq!((got.len(), source.len()), (want.len(), want.len()), "{context}");
    for ((value, &got), &want) in source.iter().zip(got).zip(want) {
        assert_eq!(
            comparable(to, got),
            comparable(to, want),
            "{context}: {from} {value:#x} to {to}: {got:#x}, not {want:#x}"
        );
    }
}

#[test]
fn small_floats() {
    let mut file = Reader(include_bytes!("../data/small_floats.bin"));
    let mut formats = 0;
    while !file.0.is_empty() {
        let (dtype, bits) = (file.dtype(), file.u8());
        let format = FloatFormat::of(dtype).unwrap();
        assert_eq!((format.bits(), dtype.bits()), (bits.into(), bits.into()));
        for code in 0..1u16 << bits {
            let want = f32::from_le_bytes(file.array());
            let got = format.decode(code as u8);
            assert_eq!(got.to_bits(), want.to_bits(), "{dtype} {code:#x}: {got}, not {want}");
        }
        let count = file.u32();
        let numbers = f32::from_bytes(file.take(4 * count));
        let codes = file.take(count);
        for (number, &want) in numbers.iter().zip(codes) {
            let encoder = format.encoder(Beyond::Special, Beyond::Special).unwrap();
            let got = encoder.encode(*number);
            assert_eq!(got, want, "{number:e} to {dtype}: {got:#x}, not {want:#x}");
        }
        formats += 1;
    }
    assert_eq!(formats, 8);
}

#[test]
fn casts_of_the_evaluator() {
    let mut file = Reader(include_bytes!("../data/onnx_cast.bin"));
    let mut conversions = 0;
    while !file.0.is_empty() {
        let (from, to, saturate) = (file.dtype(), file.dtype(), file.u8() == 1);
        let round_mode = [RoundMode::Up, RoundMode::Down, RoundMode::Nearest][usize::from(file.u8())];
        let (opset, count) = (u32::from(file.u8()), file.u32());
        let source = codes(from, file.take(count * size(from)));
        let want = codes(to, file.take(count * size(to)));
        let cast = Cast::new(from, to, CastOptions { saturate, round_mode, opset }).unwrap();
        let each: Vec<u64> = source.iter().map(|&code| cast.code(code)).collect();
        assert_same(&format!("saturate {saturate}, {round_mode:?}"), from, &source, to, &each, &want);

        // The same packed and repeated past a block, unaligned, with a tail.
        let source: Vec<u64> = source.iter().copied().cycle().take(1200 + count).collect();
        let each: Vec<u64> = source.iter().map(|&code| cast.code(code)).collect();
        let mut bytes = vec![0xEE];
        bytes.extend_from_slice(&packed(from, &source));
        bytes.push(0xEE);
        let mut target = vec![0xA5; to.storage_bytes(source.len()).unwrap() + 2];
        if count > 0 {
            cast.run(&bytes[1..], source.len(), &mut target[1..]).unwrap();
            let end = target.len() - 1;
            assert_eq!(target[1..end], packed(to, &each), "{from} to {to} packed");
            assert_eq!((target[0], target[end]), (0xA5, 0xA5));
        }
        conversions += 1;
    }
    assert_eq!(conversions, 23 * 23 + 23 * 4 + 22 * 6 - 23);
}

fn lines(text: &'static str) -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    text.lines().enumerate().map(|(i, line)| (i + 1, line.split('\t').collect()))
}

fn dtype_of(code: &str) -> DType {
    DType::from_onnx_code(code.parse().unwrap()).unwrap()
}

fn code_of(hexadecimal: &str) -> u64 {
    u64::from_str_radix(hexadecimal, 16).unwrap()
}

#[test]
fn text_of_the_evaluator() {
    for (line, fields) in lines(include_str!("../data/onnx_text.tsv")) {
        let (dtype, code, text) = (dtype_of(fields[1]), code_of(fields[2]), fields[3]);
        if fields[0] == "read" {
            let mut bytes = vec![0; size(dtype)];
            cast_from_strings(&[text], dtype, CastOptions::default(), &mut bytes).unwrap();
            assert_same(
                &format!("line {line}, {text}"),
                DType::String,
                &[0],
                dtype,
                &codes(dtype, &bytes),
                &[code],
            );
        } else {
            let bytes = packed(dtype, &[code]);
            let strings = cast_to_strings(dtype, CastOptions::default(), &bytes, 1).unwrap();
            assert_eq!(strings, [text], "line {line}");
        }
    }
}

fn scalar(dtype: DType, code: u64) -> ScalarValue {
    ScalarValue::new(dtype, &code.to_le_bytes()).unwrap()
}

#[test]
fn counts_of_the_evaluator() {
    for (line, fields) in lines(include_str!("../data/onnx_range.tsv")) {
        let dtype = dtype_of(fields[0]);
        let [start, limit, delta] = [1, 2, 3].map(|i| scalar(dtype, code_of(fields[i])));
        let range = onnx(start, limit, delta).unwrap();
        assert_eq!(range.count().to_string(), fields[4], "line {line}");
    }
}

struct Tensor {
    dtype: DType,
    count: usize,
    bytes: &'static [u8],
}

impl Tensor {
    fn read(file: &mut Reader) -> Tensor {
        let dtype = file.dtype();
        let rank = file.u8();
        let count = (0..rank).map(|_| file.u32()).product();
        let length = file.u32();
        Tensor { dtype, count, bytes: file.take(length) }
    }

    fn codes(&self) -> Vec<u64> {
        unpacked(self.dtype, self.bytes, self.count)
    }

    fn strings(&self) -> Vec<&'static str> {
        let mut reader = Reader(self.bytes);
        let strings = (0..self.count).map(|_| {
            let length = reader.u32();
            std::str::from_utf8(reader.take(length)).unwrap()
        });
        strings.collect()
    }
}

#[test]
fn node_tests() {
    let mut file = Reader(include_bytes!("../data/onnx_nodes.bin"));
    let tests = file.u32();
    let mut ran = [0; 4];
    let mut departures = 0;
    for _ in 0..tests {
        let length = usize::from(u16::from_le_bytes(file.array()));
        let name = std::str::from_utf8(file.take(length)).unwrap();
        let (operator, opset) = (file.u8(), u32::from(file.u8()));
        let to = i32::from_le_bytes(file.array());
        let (saturate, mode) = (file.u8() as i8, file.u8());
        let (inputs, outputs) = (file.u8(), file.u8());
        let inputs: Vec<Tensor> = (0..inputs).map(|_| Tensor::read(&mut file)).collect();
        assert_eq!(outputs, 1);
        let output = Tensor::read(&mut file);
        ran[usize::from(operator)] += 1;
        if operator >= 2 {
            let define = if operator == 2 { onnx } else { onnx_body };
            check_range(name, define, &inputs, &output);
            continue;
        }
        if let Ok(to) = u32::try_from(to) {
            assert_eq!(DType::from_onnx_code(to as i32), Some(output.dtype), "{name}");
        }
        let options = CastOptions {
            saturate: saturate != 0,
            round_mode: match mode {
                1 => RoundMode::Down,
                2 => RoundMode::Nearest,
                _ => RoundMode::Up,
            },
            opset,
        };
        assert!(version(opset).is_ok());
        departures += check_cast(name, options, &inputs[0], &output);
    }
    assert_eq!(departures, 252);
    assert!(file.0.is_empty());
    assert!(ran.iter().all(|&count| count > 1), "{ran:?}");
}

fn check_range(
    name: &str,
    define: fn(ScalarValue, ScalarValue, ScalarValue) -> Result<Sequence, RangeError>,
    inputs: &[Tensor],
    output: &Tensor,
) {
    let [start, limit, delta] =
        [0, 1, 2].map(|i| ScalarValue::new(inputs[i].dtype, inputs[i].bytes).unwrap());
    let range = define(start, limit, delta).unwrap();
    let mut bytes = vec![0; range.count() * size(range.dtype())];
    range.fill_bytes(0, &mut bytes);
    assert_eq!((range.dtype(), bytes.as_slice()), (output.dtype, output.bytes), "{name}");
}

/// Where the tests that came with an older version are not followed: the later ones are, or the table.
fn superseded(opset: u32, from: DType, value: u64, to: DType) -> bool {
    let fnuz = |dtype| matches!(dtype, DType::F8E4M3FNUZ | DType::F8E5M2FNUZ);
    let infinite = match from {
        DType::F32 => value & 0x7FFF_FFFF == 0x7F80_0000,
        DType::F16 => value & 0x7FFF == 0x7C00,
        _ => false,
    };
    opset < 24
        && match (from, to) {
            // They cut bits off.
            (DType::F32, DType::BF16) => true,
            // They saturate.
            (DType::F32 | DType::F16, DType::I4 | DType::U4) => true,
            // They have +6 for NaN.
            (DType::F32 | DType::F16, DType::F4E2M1) => value == 0x7FC0_0000 || value == 0x7E00,
            // They have the largest value where the table has NaN.
            (DType::F32 | DType::F16, _) if fnuz(to) => infinite,
            // They have a NaN without sign.
            _ => fnuz(from) && value == 0x80,
        }
}

fn check_cast(name: &str, options: CastOptions, input: &Tensor, output: &Tensor) -> usize {
    if input.dtype == DType::String {
        let mut bytes = vec![0; output.bytes.len()];
        cast_from_strings(&input.strings(), output.dtype, options, &mut bytes).unwrap();
        let got = unpacked(output.dtype, &bytes, output.count);
        assert_same(name, DType::String, &vec![0; got.len()], output.dtype, &got, &output.codes());
    } else if output.dtype == DType::String {
        let got = cast_to_strings(input.dtype, options, input.bytes, input.count).unwrap();
        assert_eq!(got, output.strings(), "{name}");
    } else {
        let mut bytes = vec![0; output.bytes.len()];
        let cast = Cast::new(input.dtype, output.dtype, options).unwrap();
        cast.run(input.bytes, input.count, &mut bytes).unwrap();
        let got = unpacked(output.dtype, &bytes, output.count);
        let (from, to, source) = (input.dtype, output.dtype, input.codes());
        let mut want = output.codes();
        let mut departures = 0;
        for ((&value, &got), want) in source.iter().zip(&got).zip(&mut want) {
            let same = comparable(to, got) == comparable(to, *want);
            if !same && superseded(options.opset, from, value, to) {
                *want = got;
                departures += 1;
            }
        }
        assert_same(name, from, &source, to, &got, &want);
        return departures;
    }
    0
}
