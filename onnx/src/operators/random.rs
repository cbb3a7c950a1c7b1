//! Random numbers, and elements that are dropped at random.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use aclnn::{DType, Generator, Shape, Tensor, ops};

use super::elements::InType;
use super::operator::Operator;
use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::{Attribute, Node};
use crate::run::{Call, Prepared, Values};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("RandomNormal", 1, |node| normal(node, false)),
    Operator::node("RandomNormalLike", 1, |node| normal(node, true)),
    Operator::node("RandomUniform", 1, |node| uniform(node, false)),
    Operator::node("RandomUniformLike", 1, |node| uniform(node, true)),
    Operator::node("Bernoulli", 15, bernoulli),
    Operator::node("Multinomial", 7, multinomial),
    Operator::node("Dropout", 6, |node| {
        node.ignore(&["is_test", "ratio"]);
        Ok(Prepared::device(|call| kept(call, call.dtype(0)?)))
    }),
    Operator::node("Dropout", 10, |node| {
        node.ignore(&["ratio"]);
        Ok(Prepared::device(|call| kept(call, DType::Bool)))
    }),
    Operator::node("Dropout", 12, dropout),
];

/// Random numbers of a node, which go on from run to run.
struct Source(Mutex<Generator>);

impl Source {
    /// Starts at the seed of the node, or anywhere.
    fn of(node: &Node) -> NodeResult<Source> {
        let seed = match node.attributes.get("seed") {
            Some(Attribute::Float(seed)) => u64::from(seed.to_bits()) << 1,
            Some(Attribute::Int(seed)) => (*seed as u64) << 1,
            Some(_) => return Reason::text("its attribute `seed` is not a number"),
            None => RandomState::new().hash_one(0),
        };
        // The library reads seeds as integers with a sign.
        Ok(Source(Mutex::new(Generator::new(seed >> 1))))
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut Generator) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns numbers from 0 to 1, without 1.
    fn numbers(&self, call: &Call<'_>, shape: &Shape, dtype: DType) -> NodeResult<Tensor> {
        Ok(self.draw(|generator| Tensor::rand(call.stream(), shape, dtype, generator))?)
    }
}

/// The shape and the type of a result: those of attributes, or of the input.
struct Form {
    shape: Option<Shape>,
    dtype: Option<DType>,
}

impl Form {
    fn of(node: &Node, is_like_input: bool) -> NodeResult<Form> {
        let dtype = node.dtype("dtype")?;
        if is_like_input {
            return Ok(Form { shape: None, dtype });
        }
        let Some(sizes) = node.ints("shape")? else {
            return Reason::text("its attribute `shape` is missing");
        };
        Ok(Form { shape: Some(tensor::shape(&sizes)?), dtype: Some(dtype.unwrap_or(DType::F32)) })
    }

    fn get(&self, call: &Call<'_>) -> NodeResult<(Shape, DType)> {
        let shape = match &self.shape {
            Some(shape) => shape.clone(),
            None => call.shape(0)?.clone(),
        };
        let dtype = match self.dtype {
            Some(dtype) => dtype,
            None => call.dtype(0)?,
        };
        match dtype.is_float() {
            true => Ok((shape, dtype)),
            false => Reason::text(format!("it draws floats, not {dtype}")),
        }
    }
}

/// Returns the type in which numbers are drawn: small floats are rounded f32.
fn drawn(dtype: DType) -> DType {
    if dtype == DType::F64 { dtype } else { DType::F32 }
}

fn normal(node: &Node, is_like_input: bool) -> NodeResult<Prepared> {
    let (form, source) = (Form::of(node, is_like_input)?, Source::of(node)?);
    let (mean, scale) = (node.float("mean", 0.0)?, node.float("scale", 1.0)?);
    Ok(Prepared::device(move |call| {
        let (shape, dtype) = form.get(call)?;
        let numbers = source
            .draw(|generator| Tensor::normal(call.stream(), shape, mean, scale, drawn(dtype), generator))?;
        Ok(numbers.in_type(dtype)?)
    })
    .each_time())
}

fn uniform(node: &Node, is_like_input: bool) -> NodeResult<Prepared> {
    let (form, source) = (Form::of(node, is_like_input)?, Source::of(node)?);
    let (low, high) = (node.float("low", 0.0)?, node.float("high", 1.0)?);
    Ok(Prepared::device(move |call| {
        let (shape, dtype) = form.get(call)?;
        let mut numbers = Tensor::empty(call.stream(), shape, drawn(dtype))?;
        let range = f64::from(low)..f64::from(high);
        source.draw(|generator| numbers.uniform_in_place(range, generator))?;
        Ok(numbers.in_type(dtype)?)
    })
    .each_time())
}

fn bernoulli(node: &Node) -> NodeResult<Prepared> {
    let (source, dtype) = (Source::of(node)?, node.dtype("dtype")?);
    Ok(Prepared::device(move |call| {
        let probabilities = call.tensor(0)?;
        let dtype = dtype.unwrap_or(probabilities.dtype());
        let wide = drawn(probabilities.dtype());
        let numbers = source.numbers(call, probabilities.shape(), wide)?;
        Ok(numbers.lt(&probabilities.in_type(wide)?)?.in_type(dtype)?)
    })
    .each_time())
}

fn multinomial(node: &Node) -> NodeResult<Prepared> {
    let (source, dtype) = (Source::of(node)?, node.dtype("dtype")?.unwrap_or(DType::I32));
    let Ok(samples) = usize::try_from(node.int("sample_size", 1)?) else {
        return Reason::text("its sample size is negative");
    };
    Ok(Prepared::device(move |call| {
        let logarithms = call.tensor(0)?;
        let probabilities = logarithms.in_type(drawn(logarithms.dtype()))?.softmax(-1)?;
        let samples = source.draw(|generator| probabilities.multinomial(samples, true, generator))?;
        Ok(samples.in_type(dtype)?)
    })
    .each_time())
}

/// Keeps all elements, with a mask that says so.
fn kept(call: &Call<'_>, mask: DType) -> NodeResult<Values> {
    let x = call.value(0)?;
    Ok(match call.wants(1) {
        true => (x, Tensor::ones(call.stream(), call.shape(0)?, mask)?).into(),
        false => x.clone().into(),
    })
}

fn dropout(node: &Node) -> NodeResult<Prepared> {
    let source = Source::of(node)?;
    Ok(Prepared::device(move |call| {
        let trains = call.optional_number(2)?.is_some_and(|mode| mode != 0.0);
        let ratio = if trains { call.optional_number(1)?.unwrap_or(0.5) } else { 0.0 };
        if ratio == 0.0 {
            return kept(call, DType::Bool);
        }
        if !(0.0..1.0).contains(&ratio) {
            return Reason::text(format!("its ratio is {ratio}, but must be from 0 to less than 1"));
        }
        let x = call.tensor(0)?;
        let mask = source.numbers(call, x.shape(), DType::F32)?.ge(ratio as f32)?;
        let scaled = call.widened([&x], |[x]| x.mul(1.0 / (1.0 - ratio)))?;
        let y = ops::where_(&mask, &scaled, 0).run()?;
        Ok(match call.wants(1) {
            true => (y, mask).into(),
            false => y.into(),
        })
    })
    .each_time())
}
