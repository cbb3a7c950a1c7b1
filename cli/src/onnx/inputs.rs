//! Inputs of a model on the command line: files, and elements that are made.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use aclnn::{DType, Device, Tensor};
use aclnn_onnx::{Array, Dimension, Model, Port, Value, ValueType, cases};
use anyhow::{Context as _, Error, Result, bail, ensure};

use crate::arrays::Source;
use crate::{element_type, suggest};

/// Reads the values of all inputs. Tensors are copied to the device, but for strings.
///
/// # Errors
/// An input is missing, unknown or given twice, or its value cannot be read.
pub(super) fn read<'a>(
    model: &'a Model,
    device: &Device,
    texts: &[impl AsRef<OsStr>],
) -> Result<Vec<(&'a str, Value)>> {
    let ports: Vec<Port<'a>> = model.inputs().collect();
    let mut values: Vec<(&'a str, Value)> = Vec::new();
    for text in texts {
        let text = text.as_ref();
        let (port, value) = named(&ports, text)?;
        ensure!(!values.iter().any(|(name, _)| *name == port.name), "--input {} is given twice", port.name);
        let value = read_one(port, device, value).with_context(|| format!("--input {}", text.display()))?;
        values.push((port.name, value));
    }
    let is_missing =
        |port: &&Port<'a>| !port.has_default && !values.iter().any(|(name, _)| *name == port.name);
    let missing: Vec<String> = ports.iter().filter(is_missing).map(how_to_give).collect();
    ensure!(missing.is_empty(), "the model needs more inputs:\n{}", missing.join("\n"));
    Ok(values)
}

/// Finds the input that a text names before its sign `=`. Names may hold that sign, too.
fn named<'p, 'a, 't>(ports: &'p [Port<'a>], text: &'t OsStr) -> Result<(&'p Port<'a>, &'t OsStr)> {
    let after = |port: &Port<'a>| text.as_bytes().strip_prefix(port.name.as_bytes())?.strip_prefix(b"=");
    let found = ports.iter().filter_map(|port| Some((port, OsStr::from_bytes(after(port)?))));
    if let Some(found) = found.max_by_key(|(port, _)| port.name.len()) {
        return Ok(found);
    }
    let shown = text.display();
    let names = || ports.iter().map(|port| port.name);
    match text.to_string_lossy().split_once('=') {
        Some((name, _)) => bail!(
            "--input {shown}: the model has no input {name}, only {}{}",
            names().collect::<Vec<_>>().join(", "),
            suggest::hint(name, names())
        ),
        None => bail!("--input {shown}: write NAME=VALUE"),
    }
}

/// Says how an input can be given: each open axis gets size 1 as an example.
fn how_to_give(port: &Port<'_>) -> String {
    let Port { name, value_type, .. } = port;
    let declared = value_type.map_or("a value of any type".to_owned(), ToString::to_string);
    let quoted = |text: String| match text.contains([' ', '[', '(', '*', '?', '$', '&', ';', '|', '<', '>']) {
        true => format!("'{text}'"),
        false => text,
    };
    let made = match value_type {
        Some(ValueType::Tensor { dtype, shape }) if *dtype != DType::String => {
            let sizes = shape.iter().flatten().map(|dimension| match dimension {
                Dimension::Fixed(size) => size.to_string(),
                _ => "1".to_owned(),
            });
            let sizes = sizes.collect::<Vec<_>>().join(",");
            let file = quoted(format!("{name}=FILE.npy"));
            format!("{file} or --input {}", quoted(format!("{name}=random:{dtype}[{sizes}]")))
        }
        _ => quoted(format!("{name}=FILE.pb")),
    };
    format!("  {name}, {declared}: --input {made}")
}

fn read_one(port: &Port<'_>, device: &Device, text: &OsStr) -> Result<Value> {
    let declared = match port.value_type {
        Some(ValueType::Tensor { dtype, shape }) => (Some(*dtype), shape.as_deref()),
        _ => (None, None),
    };
    let path = Path::new(text);
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pb")) {
        let value = cases::read_value(path, port.value_type)?;
        return match value.dtype() {
            None | Some(DType::String) => Ok(value),
            Some(_) => Ok(tensor(&value.to_array()?, device)?.into()),
        };
    }
    if let Some(source) = Source::parse(text) {
        // Where NumPy has no name for a type, the model has.
        let told = declared.0.filter(|dtype| !is_named(*dtype));
        return Ok(source.load(device, told)?.into());
    }
    let text = text.to_string_lossy();
    let (kind, rest) = match text.split_once(':') {
        Some((kind, rest)) => (kind, rest),
        None => (&*text, ""),
    };
    let Some(kind) = Made::parse(kind) else {
        bail!("it is neither a file (.npy, .safetensors, .pb) nor random, zeros or ones");
    };
    let (dtype, shape) = type_of(rest, declared)?;
    Ok(tensor(&kind.elements(dtype, &shape)?, device)?.into())
}

/// Returns whether NumPy has a name for a type.
fn is_named(dtype: DType) -> bool {
    let is_small_float = matches!(dtype, DType::F16 | DType::F32 | DType::F64);
    let is_whole = dtype.is_integer() && dtype.bits() >= 8;
    is_small_float || is_whole || matches!(dtype, DType::Bool | DType::C64 | DType::C128)
}

fn tensor(array: &Array, device: &Device) -> Result<Tensor> {
    Ok(Tensor::from_bytes(device, array.dtype(), array.bytes(), array.shape().clone())?)
}

/// Reads a type such as `f32[2,3]`, of which each part may be left out where the model says it.
fn type_of(text: &str, declared: (Option<DType>, Option<&[Dimension]>)) -> Result<(DType, Vec<usize>)> {
    let (dtype, sizes) = match text.split_once('[') {
        Some((dtype, sizes)) => {
            let sizes =
                sizes.strip_suffix(']').with_context(|| format!("{text}: a bracket is not closed"))?;
            (dtype, Some(sizes))
        }
        None => (text, None),
    };
    let dtype = match (dtype.trim(), declared.0) {
        ("", Some(dtype)) => dtype,
        ("", None) => bail!("the model says no type of elements; write it as in f32[2,3]"),
        (name, _) => element_type::parse(name).map_err(Error::msg)?,
    };
    let shape = match sizes {
        Some(sizes) => {
            let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
            let size =
                |size: &str| size.parse().ok().with_context(|| format!("{size} is not the size of an axis"));
            sizes.map(size).collect::<Result<_>>()?
        }
        None => {
            let fixed = declared.1.and_then(|shape| {
                let size = |dimension: &Dimension| match dimension {
                    Dimension::Fixed(size) => Some(*size),
                    _ => None,
                };
                shape.iter().map(size).collect::<Option<Vec<usize>>>()
            });
            fixed.context("the model leaves sizes open; write them as in f32[2,3]")?
        }
    };
    Ok((dtype, shape))
}

/// Elements that are made.
#[derive(Clone, Copy)]
enum Made {
    Random,
    Zeros,
    Ones,
}

/// The most elements that are made.
const MOST: usize = 1 << 32;

impl Made {
    fn parse(name: &str) -> Option<Made> {
        Some(match name {
            "random" => Made::Random,
            "zeros" => Made::Zeros,
            "ones" => Made::Ones,
            _ => return None,
        })
    }

    /// Returns elements: random floats lie between 0 and 1, random integers are 0 or 1. Each call gives the same.
    fn elements(self, dtype: DType, shape: &[usize]) -> Result<Array> {
        let count = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size));
        let count = count.filter(|count| *count <= MOST).context("there are too many elements")?;
        let is_float = !dtype.is_integer() && dtype != DType::Bool;
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = || {
            // The generator xorshift64*.
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let bits = (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32;
            let number = bits / (1 << 24) as f32;
            if is_float { number } else { number.round() }
        };
        let numbers: Vec<f32> = match self {
            Made::Random => (0..count).map(|_| random()).collect(),
            Made::Zeros => vec![0.0; count],
            Made::Ones => vec![1.0; count],
        };
        Ok(Array::from_slice(&numbers, shape)?.cast(dtype)?)
    }
}
