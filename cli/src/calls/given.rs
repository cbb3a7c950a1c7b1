//! Arguments by the kinds of parameters: operands in their order, attributes by their names.

use std::collections::{BTreeMap, VecDeque};
use std::str::FromStr;

use aclnn::ops::{
    BagMode, Interpolation, LossReduction, PadMode, Precision, Rotation, SampleMode, SamplePadding,
    ScatterReduction,
};
use aclnn::{Complex, DType, Device, Generator, Operand, Scalar, Tensor};
use anyhow::{Context as _, Error, Result, anyhow, bail};

use super::operation::Options;
use crate::element_type;

/// An operand.
#[derive(Debug)]
pub(crate) enum Value {
    Tensor(Tensor),
    Scalar(Scalar),
}

/// The arguments of a call that its function has not taken yet.
#[derive(Debug)]
pub(crate) struct Given<'a> {
    device: &'a Device,
    operands: VecDeque<&'a Value>,
    attributes: BTreeMap<&'a str, &'a str>,
    pub(super) options: Options,
}

/// Reads a number as Rust does: `2` is an i32 or, if it is too large, an i64 or a u64; `0.5` is an f64; also `true`,
/// `inf`, `nan`, `1+2i`, and a type behind a colon as in `2:f16`.
pub(crate) fn number(text: &str) -> Result<Scalar> {
    let (digits, dtype) = match text.rsplit_once(':') {
        Some((digits, dtype)) => (digits, Some(element_type::parse(dtype).map_err(Error::msg)?)),
        None => (text, None),
    };
    let scalar = (digits.parse::<i32>().map(Scalar::from).ok())
        .or_else(|| digits.parse::<i64>().map(Scalar::from).ok())
        .or_else(|| digits.parse::<u64>().map(Scalar::from).ok())
        .or_else(|| digits.parse::<f64>().map(Scalar::from).ok())
        .or_else(|| digits.parse::<bool>().map(Scalar::from).ok())
        .or_else(|| digits.parse::<Complex<f64>>().map(Scalar::from).ok())
        .with_context(|| format!("`{text}` is not a number"))?;
    match dtype {
        Some(dtype) => {
            scalar.to(dtype).with_context(|| format!("there are no single values of type {dtype}"))
        }
        None => Ok(scalar),
    }
}

/// A value that is written as the text of an attribute.
pub(super) trait Attribute: Sized {
    /// What a reader is told to write.
    const WRITTEN: &'static str;

    fn read(text: &str) -> Option<Self>;
}

macro_rules! attributes {
    ($($type:ty, $written:literal: $read:expr;)*) => {$(
        impl Attribute for $type {
            const WRITTEN: &'static str = $written;

            fn read(text: &str) -> Option<Self> {
                ($read)(text)
            }
        }
    )*};
}

attributes! {
    i64, "an integer": |text: &str| text.parse().ok();
    usize, "an integer that is not negative": |text: &str| text.parse().ok();
    f32, "a number": |text: &str| text.parse().ok();
    f64, "a number": |text: &str| text.parse().ok();
    Generator, "a seed, an integer that is not negative": |text: &str| text.parse().ok().map(Generator::new);
    bool, "true or false": |text: &str| text.parse().ok();
    String, "a text": |text: &str| Some(text.to_owned());
    Scalar, "a number": |text: &str| number(text).ok();
    PadMode, "a number for a constant, reflect, replicate or circular": pad_mode;
    LossReduction, "none, mean, sum or batch_mean": loss_reduction;
    Precision, "keep, allow, f16, hf32 or f32_add": precision;
    Rotation, "half, interleaved, quarter or interleaved_half": rotation;
    ScatterReduction, "sum, product, max, min or mean": reduction;
    BagMode, "sum, mean or max": bag_mode;
    Vec<i64>, "integers, separated by commas": list;
    Vec<usize>, "integers that are not negative, separated by commas": list;
    Vec<(usize, usize)>, "pairs such as 1:2, separated by commas": |text: &str| {
        text.split(',').map(|pair| {
            let (before, after) = pair.split_once(':')?;
            Some((before.trim().parse().ok()?, after.trim().parse().ok()?))
        }).collect()
    };
    [usize; 1], "an integer that is not negative": |text: &str| list(text)?.try_into().ok();
    [usize; 2], "two integers, separated by a comma": |text: &str| list(text)?.try_into().ok();
    [usize; 3], "three integers, separated by commas": |text: &str| list(text)?.try_into().ok();
    SampleMode, "linear, nearest or cubic": |text: &str| Some(match text {
        "linear" => SampleMode::Linear,
        "nearest" => SampleMode::Nearest,
        "cubic" => SampleMode::Cubic,
        _ => return None,
    });
    SamplePadding, "zeros, border or reflection": |text: &str| Some(match text {
        "zeros" => SamplePadding::Zeros,
        "border" => SamplePadding::Border,
        "reflection" => SamplePadding::Reflection,
        _ => return None,
    });
    Interpolation, "nearest, nearest_exact, linear, cubic, linear_window or cubic_window, the last four perhaps with _aligned behind": interpolation;
}

/// Reads how elements are combined.
fn reduction(name: &str) -> Option<ScatterReduction> {
    Some(match name {
        "sum" => ScatterReduction::Sum,
        "product" => ScatterReduction::Product,
        "max" => ScatterReduction::Max,
        "min" => ScatterReduction::Min,
        "mean" => ScatterReduction::Mean,
        _ => return None,
    })
}

/// Reads how the rows of a bag are combined.
fn bag_mode(name: &str) -> Option<BagMode> {
    Some(match name {
        "sum" => BagMode::Sum,
        "mean" => BagMode::Mean,
        "max" => BagMode::Max,
        _ => return None,
    })
}

/// Reads how losses are combined.
fn loss_reduction(name: &str) -> Option<LossReduction> {
    Some(match name {
        "none" => LossReduction::None,
        "mean" => LossReduction::Mean,
        "sum" => LossReduction::Sum,
        "batch_mean" => LossReduction::BatchMean,
        _ => return None,
    })
}

/// Reads how products of f32 are computed.
fn precision(name: &str) -> Option<Precision> {
    Some(match name {
        "keep" => Precision::Keep,
        "allow" => Precision::Allow,
        "f16" => Precision::F16,
        "hf32" => Precision::Hf32,
        "f32_add" => Precision::F32Add,
        _ => return None,
    })
}

/// Reads which elements are rotated together.
fn rotation(name: &str) -> Option<Rotation> {
    Some(match name {
        "half" => Rotation::Half,
        "interleaved" => Rotation::Interleaved,
        "quarter" => Rotation::Quarter,
        "interleaved_half" => Rotation::InterleavedHalf,
        _ => return None,
    })
}

/// Reads how elements between those of an image are found.
fn interpolation(name: &str) -> Option<Interpolation> {
    Some(match name {
        "nearest" => Interpolation::Nearest,
        "nearest_exact" => Interpolation::NearestExact,
        "linear" => Interpolation::Linear { align_corners: false },
        "linear_aligned" => Interpolation::Linear { align_corners: true },
        "cubic" => Interpolation::Cubic { align_corners: false },
        "cubic_aligned" => Interpolation::Cubic { align_corners: true },
        "linear_window" => Interpolation::LinearWindow { align_corners: false },
        "linear_window_aligned" => Interpolation::LinearWindow { align_corners: true },
        "cubic_window" => Interpolation::CubicWindow { align_corners: false },
        "cubic_window_aligned" => Interpolation::CubicWindow { align_corners: true },
        _ => return None,
    })
}

/// Reads how a tensor is padded; a number is the constant.
fn pad_mode(text: &str) -> Option<PadMode> {
    Some(match text {
        "reflect" => PadMode::Reflect,
        "replicate" => PadMode::Replicate,
        "circular" => PadMode::Circular,
        value => PadMode::Constant(number(value).ok()?),
    })
}

/// Reads a list; `..` and an empty text are lists of nothing.
fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() || text == ".." {
        return Some(Vec::new());
    }
    text.split(',').map(|item| item.trim().parse().ok()).collect()
}

impl<'a> Given<'a> {
    pub(crate) fn new(
        device: &'a Device,
        operands: &'a [Value],
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
        options: Options,
    ) -> Self {
        let (operands, attributes) = (operands.iter().collect(), attributes.into_iter().collect());
        Self { device, operands, attributes, options }
    }

    fn next(&mut self, name: &str) -> Result<&'a Value> {
        self.operands.pop_front().with_context(|| format!("the operand {} is missing", shown(name)))
    }

    /// Fails if there is something left that the function does not have.
    pub(super) fn finish(&self) -> Result<()> {
        if let Some(name) = self.attributes.keys().next() {
            bail!("there is no attribute {name}");
        }
        match self.operands.len() {
            0 => Ok(()),
            1 => bail!("there is an operand too many"),
            more => bail!("there are {more} operands too many"),
        }
    }

    fn attribute<T: Attribute>(&mut self, name: &str, default: Option<&str>) -> Result<T> {
        let text = self.attributes.remove(shown(name)).or(default);
        let text = text
            .with_context(|| format!("the attribute {name} is missing: --attr {name}=…, {}", T::WRITTEN))?;
        T::read(text).with_context(|| format!("--attr {name}={text}: it is {}", T::WRITTEN))
    }

    fn optional<T: Attribute>(&mut self, name: &str) -> Result<Option<T>> {
        if self.attributes.contains_key(name) { self.attribute(name, None).map(Some) } else { Ok(None) }
    }
}

/// Returns the name of a parameter as readers know it.
pub(super) fn shown(name: &str) -> &str {
    if name == "own" { "self" } else { name }
}

/// One method for each kind of parameter, under the name of the kind.
impl<'a> Given<'a> {
    pub(super) fn device(&mut self, _: &str, _: Option<&str>) -> Result<&'a Device> {
        Ok(self.device)
    }

    pub(super) fn tensor(&mut self, name: &str, _: Option<&str>) -> Result<&'a Tensor> {
        match self.next(name)? {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Scalar(value) => Err(anyhow!(
                "the operand {} is the number {value}, and must be a tensor; a function for a number on the left, if there \
                 is one, is named as rsub and rdiv",
                shown(name)
            )),
        }
    }

    /// An operand that the call writes: a handle that shares its elements.
    pub(super) fn target(&mut self, name: &str, default: Option<&str>) -> Result<Tensor> {
        self.tensor(name, default).cloned()
    }

    pub(super) fn operand(&mut self, name: &str, _: Option<&str>) -> Result<Operand<'a>> {
        Ok(match self.next(name)? {
            Value::Tensor(tensor) => Operand::Tensor(tensor),
            Value::Scalar(value) => Operand::Scalar(*value),
        })
    }

    /// A number among the operands.
    pub(super) fn value(&mut self, name: &str, _: Option<&str>) -> Result<Scalar> {
        match self.next(name)? {
            Value::Scalar(value) => Ok(*value),
            Value::Tensor(_) => bail!("the operand {} is a tensor, and must be a number", shown(name)),
        }
    }

    /// All operands that are left.
    pub(super) fn tensors(&mut self, name: &str, default: Option<&str>) -> Result<Vec<&'a Tensor>> {
        let mut tensors = vec![self.tensor(name, default)?];
        while !self.operands.is_empty() {
            tensors.push(self.tensor(name, default)?);
        }
        Ok(tensors)
    }

    pub(super) fn optional_tensor(
        &mut self,
        name: &str,
        default: Option<&str>,
    ) -> Result<Option<&'a Tensor>> {
        if self.operands.is_empty() { Ok(None) } else { self.tensor(name, default).map(Some) }
    }

    pub(super) fn dtype(&mut self, _: &str, default: Option<&str>) -> Result<DType> {
        match (self.options.dtype.take(), default) {
            (Some(dtype), _) => Ok(dtype),
            (None, Some(default)) => Ok(default.parse()?),
            (None, None) => bail!("the type of the result is missing: --dtype"),
        }
    }

    pub(super) fn optional_scalar(&mut self, name: &str, _: Option<&str>) -> Result<Option<Scalar>> {
        self.optional(name)
    }

    pub(super) fn optional_size(&mut self, name: &str, _: Option<&str>) -> Result<Option<usize>> {
        self.optional(name)
    }

    pub(super) fn optional_f64(&mut self, name: &str, _: Option<&str>) -> Result<Option<f64>> {
        self.optional(name)
    }

    pub(super) fn optional_dtype(&mut self, _: &str, _: Option<&str>) -> Result<Option<DType>> {
        Ok(self.options.dtype.take())
    }

    pub(super) fn optional_int(&mut self, name: &str, _: Option<&str>) -> Result<Option<i64>> {
        self.optional(name)
    }
}

macro_rules! kinds {
    ($($kind:ident: $type:ty;)*) => {
        /// Attributes: one method for each kind, under its name.
        impl Given<'_> {
            $(pub(super) fn $kind(&mut self, name: &str, default: Option<&str>) -> Result<$type> {
                self.attribute(name, default)
            })*
        }
    };
}

kinds! {
    axes: Vec<i64>;
    axis: i64;
    bag_mode: BagMode;
    bool: bool;
    f32: f32;
    f64: f64;
    generator: Generator;
    i64: i64;
    interpolation: Interpolation;
    ints: Vec<i64>;
    loss_reduction: LossReduction;
    pair: [usize; 2];
    pad_mode: PadMode;
    pairs: Vec<(usize, usize)>;
    precision: Precision;
    reduction: ScatterReduction;
    rotation: Rotation;
    sample_mode: SampleMode;
    sample_padding: SamplePadding;
    scalar: Scalar;
    scalar_or_null: Scalar;
    size: usize;
    single: [usize; 1];
    sizes: Vec<usize>;
    triple: [usize; 3];
    text: String;
}
