//! Numbers drawn from a distribution.

use std::ops::{Bound, Range, RangeBounds};

use aclnn_numerics::{DType, Shape};

use super::super::arithmetic::add_in_place;
use super::draw::{check_own, is_probability, reserve};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Operands, Result};
use crate::generator::Generator;
use crate::operand::{IntoOperand, Operand};
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Makes a tensor of numbers that are distributed evenly from 0 up to 1, which is not among them.
    ///
    /// Numbers are drawn as by [`uniform_in_place`](Tensor::uniform_in_place). Of an integer type all are 0.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let numbers = Tensor::rand(&device, [2, 3], DType::F32, &mut Generator::new(0))?;
    /// assert!(numbers.to_vec::<f32>()?.iter().all(|number| (0.0..1.0).contains(number)));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) and [`Rank`](crate::Error::Rank) before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnInplaceUniform")]
    #[doc(alias = "random")]
    pub fn rand(
        on: impl Into<Stream>,
        shape: impl Into<Shape>,
        dtype: DType,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        let stream = on.into();
        let operation = Operation::new("rand", &stream);
        operation.takes("InplaceUniform", signatures::uniform.takes, dtype)?;
        let mut numbers = operation.empty(shape, dtype)?;
        numbers.uniform_in_place(0.0..1.0, generator).map_err(|error| operation.explain(error))?;
        Ok(numbers)
    }

    /// Makes a tensor of numbers of the standard normal distribution. A tensor of another distribution is made by
    /// [`Tensor::normal`].
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let numbers = Tensor::randn(&device, [1000], DType::F32, &mut Generator::new(0))?;
    /// assert!(numbers.mean(..)?.item::<f32>()?.abs() < 0.2);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::normal`].
    #[doc(alias = "aclnnNormalFloatFloat")]
    pub fn randn(
        on: impl Into<Stream>,
        shape: impl Into<Shape>,
        dtype: DType,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        Tensor::normal(on, shape, 0.0, 1.0, dtype, generator)
    }

    /// Makes a tensor of numbers from 0 up to 1 of the same shape and type, on the same stream, as [`Tensor::rand`] does.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::zeros(&device, [2, 3], DType::F16)?;
    /// let numbers = a.rand_like(&mut Generator::new(0))?;
    /// assert_eq!((numbers.dims(), numbers.dtype()), (&[2, 3][..], DType::F16));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::rand`].
    #[doc(alias = "aclnnInplaceUniform")]
    #[doc(alias = "random_like")]
    #[inline]
    pub fn rand_like(&self, generator: &mut Generator) -> Result<Tensor> {
        Tensor::rand(self.stream(), self.shape(), self.dtype(), generator)
            .map_err(|error| error.during("rand_like", || self.operands()))
    }

    /// Makes a tensor of numbers of the standard normal distribution of the same shape and type, on the same stream, as
    /// [`Tensor::randn`] does.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let noise = Tensor::zeros(&device, [1000], DType::F32)?.randn_like(&mut Generator::new(0))?;
    /// assert!(noise.mean(..)?.item::<f32>()?.abs() < 0.2);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::randn`].
    #[doc(alias = "aclnnNormalFloatFloat")]
    #[inline]
    pub fn randn_like(&self, generator: &mut Generator) -> Result<Tensor> {
        Tensor::randn(self.stream(), self.shape(), self.dtype(), generator)
            .map_err(|error| error.during("randn_like", || self.operands()))
    }

    /// Makes a tensor of numbers of the normal distribution with a mean and a standard deviation, as f32, f16, bf16 or f64.
    /// They are computed in f32 and rounded once. [`ops::normal`](crate::ops::normal) takes tensors of means and deviations.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let fives = Tensor::normal(&device, [4], 5.0, 0.0, DType::F32, &mut Generator::new(0))?;
    /// assert_eq!(fives.to_vec::<f32>()?, [5.0; 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a negative deviation and
    /// [`Rank`](crate::Error::Rank) before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what the
    /// library returned.
    #[doc(alias = "aclnnNormalFloatFloat")]
    pub fn normal(
        on: impl Into<Stream>,
        shape: impl Into<Shape>,
        mean: f32,
        std: f32,
        dtype: DType,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        let stream = on.into();
        let operation = Operation::new("normal", &stream);
        operation.takes("NormalFloatFloat", signatures::normal.takes, dtype)?;
        is_deviation(&operation, std)?;
        let out = operation.empty(shape, dtype)?;
        Operation::new("normal", &stream).tensor("out", &out).placed()?;
        let (seed, offset) = reserve(generator, out.numel());
        launch::NormalFloatFloat((&stream).into(), mean, std, seed, offset, &out)?;
        Ok(out)
    }

    /// Makes a tensor of whole numbers that are distributed evenly in a range.
    ///
    /// They come from fractions of an f32, so of a range of more than 2²³ numbers some never occur. Where the range has
    /// negative numbers, they are drawn from 0 on and moved, as CANN's operator alone would draw 0 too often. For bool there
    /// is [`bernoulli_in_place`](Tensor::bernoulli_in_place).
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let dice = Tensor::randint(&device, [10], 1..7, DType::I32, &mut Generator::new(0))?;
    /// assert!(dice.to_vec::<i32>()?.iter().all(|eyes| (1..7).contains(eyes)));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a range that is empty, longer than
    /// an i64 counts, or not of numbers of the type, and [`Rank`](crate::Error::Rank) before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnInplaceRandom")]
    pub fn randint(
        on: impl Into<Stream>,
        shape: impl Into<Shape>,
        range: Range<i64>,
        dtype: DType,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        let stream = on.into();
        let operation = Operation::new("randint", &stream);
        operation.takes("InplaceRandom", signatures::random.takes, dtype)?;
        let count = range.end.checked_sub(range.start).filter(|count| *count > 0);
        let Some(count) = count else {
            return Err(
                operation.refused(format!("the range {range:?} has no elements, or more than an i64 counts"))
            );
        };
        let holds = |number: i64| Scalar::from(number).to(dtype).and_then(|held| held.to(DType::I64));
        let ends = [range.start, range.end - 1];
        if dtype == DType::Bool
            || dtype.is_integer() && ends.iter().any(|end| holds(*end) != Some((*end).into()))
        {
            return Err(operation.refused(format!("{dtype} does not hold the numbers of {range:?}")));
        }
        let explain = |error| operation.explain(error);
        if range.start >= 0 {
            let mut numbers = operation.empty(shape, dtype)?;
            numbers.random_in_place(range, generator).map_err(explain)?;
            return Ok(numbers);
        }
        let mut numbers = operation.empty(shape, DType::I64)?;
        numbers.random_in_place(0..count, generator).map_err(explain)?;
        add_in_place(&mut numbers, range.start).run().map_err(explain)?;
        if dtype == DType::I64 { Ok(numbers) } else { numbers.cast(dtype).map_err(explain) }
    }

    /// Writes numbers that are distributed evenly from the start of a range up to its end, which is not among them, to every
    /// element.
    ///
    /// They are computed in f32, from 23 bits each (10 for f16, 7 for bf16), and rounded once; those of an integer type are
    /// then cut off. A number that would be rounded to the end becomes the start.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut weights = Tensor::zeros(&device, [2, 2], DType::F16)?;
    /// weights.uniform_in_place(-0.5..0.5, &mut Generator::new(0))?;
    /// assert!(weights.cast(DType::F32)?.to_vec::<f32>()?.iter().all(|weight| (-0.5..0.5).contains(weight)));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a range that ends before it
    /// starts, [`SharedElements`](crate::Error::SharedElements) and [`Rank`](crate::Error::Rank) before anything is launched;
    /// or what the library returned.
    #[doc(alias = "aclnnInplaceUniform")]
    #[doc(alias = "uniform_")]
    #[inline]
    pub fn uniform_in_place(&mut self, range: Range<f64>, generator: &mut Generator) -> Result<()> {
        let operation = Operation::new("uniform_in_place", self.stream()).tensor("self", self);
        check_own(&operation, self, ("InplaceUniform", signatures::uniform.takes))?;
        is_range(&operation, range.start, range.end)?;
        let (seed, offset) = reserve(generator, self.numel());
        launch::InplaceUniform(self.stream().into(), self, range.start, range.end, seed as u64, offset as u64)
    }

    /// Writes numbers of the normal distribution with a mean and a standard deviation to every element. They are computed in
    /// f32 and converted once, as by [`cast`](Tensor::cast).
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut fives = Tensor::zeros(&device, [4], DType::I32)?;
    /// fives.normal_in_place(5.0, 0.0, &mut Generator::new(0))?;
    /// assert_eq!(fives.to_vec::<i32>()?, [5; 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a negative deviation,
    /// [`SharedElements`](crate::Error::SharedElements) and [`Rank`](crate::Error::Rank) before anything is launched; or what
    /// the library returned.
    #[doc(alias = "aclnnInplaceNormal")]
    #[doc(alias = "normal_")]
    #[inline]
    pub fn normal_in_place(&mut self, mean: f32, std: f32, generator: &mut Generator) -> Result<()> {
        let operation = Operation::new("normal_in_place", self.stream()).tensor("self", self);
        check_own(&operation, self, ("InplaceNormal", signatures::normal_in_place.takes))?;
        is_deviation(&operation, std)?;
        let (seed, offset) = reserve(generator, self.numel());
        launch::InplaceNormal(self.stream().into(), self, mean, std, seed, offset)
    }

    /// Writes whole numbers that are distributed evenly in a range to every element. For `..` these are the numbers from 0 to
    /// the greatest of an integer type, and to the number of a float from which on not every whole number is one.
    ///
    /// This is CANN's operator as it is. From a range with two ends it draws fractions in f32 and cuts them off. Where the range
    /// has negative numbers, 0 is therefore drawn twice as often as others, and the least one hardly ever:
    /// [`Tensor::randint`] has no such flaw. A bool is rounded: of the range `0..1` half are
    /// true, as by [`bernoulli_in_place`](Tensor::bernoulli_in_place).
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut bytes = Tensor::zeros(&device, [8], DType::U8)?;
    /// bytes.random_in_place(3..=5, &mut Generator::new(0))?;
    /// assert!(bytes.to_vec::<u8>()?.iter().all(|byte| (3..=5).contains(byte)));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a range that is empty or has one
    /// end, [`SharedElements`](crate::Error::SharedElements) and [`Rank`](crate::Error::Rank) before anything is launched; or
    /// what the library returned.
    #[doc(alias = "aclnnInplaceRandom")]
    #[doc(alias = "aclnnInplaceRandomWithoutFromTo")]
    pub fn random_in_place(&mut self, range: impl RangeBounds<i64>, generator: &mut Generator) -> Result<()> {
        let operation = Operation::new("random_in_place", self.stream()).tensor("self", self);
        check_own(&operation, self, ("InplaceRandom", signatures::random.takes))?;
        let from = match range.start_bound() {
            Bound::Included(from) => Some(*from),
            Bound::Excluded(before) => before.checked_add(1),
            Bound::Unbounded => None,
        };
        let to = match range.end_bound() {
            Bound::Included(last) => last.checked_add(1),
            Bound::Excluded(to) => Some(*to),
            Bound::Unbounded => None,
        };
        let stream = self.stream();
        match (from, to) {
            (Some(from), Some(to)) if from < to => {
                let (seed, offset) = reserve(generator, self.numel());
                launch::InplaceRandom(stream.into(), self, from, to, seed, offset)
            }
            (None, None)
                if matches!(
                    (range.start_bound(), range.end_bound()),
                    (Bound::Unbounded, Bound::Unbounded)
                ) =>
            {
                let (seed, offset) = reserve(generator, self.numel());
                launch::InplaceRandomWithoutFromTo(stream.into(), self, seed, offset)
            }
            _ => Err(operation.refused("the range must have two ends and an element, or be `..`".to_owned())),
        }
    }

    /// Multiplies each negative element by a slope that is drawn from a range. Returns the products and the slopes, which are 1
    /// for the other elements. When a network is not trained, [`leaky_relu`](Tensor::leaky_relu) with the middle of the range
    /// takes its place.
    ///
    /// ```
    /// use aclnn::{Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[-2.0f32, 3.0], [2])?;
    /// let (products, slopes) = a.rrelu(0.25, 0.25, &mut Generator::new(0))?;
    /// assert_eq!(products.to_vec::<f32>()?, [-0.5, 3.0]);
    /// assert_eq!(slopes.to_vec::<f32>()?, [0.25, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a range that ends before it starts
    /// and [`Rank`](crate::Error::Rank) before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what the
    /// library returned.
    #[doc(alias = "aclnnRReluWithNoise")]
    #[inline]
    pub fn rrelu(&self, lower: f64, upper: f64, generator: &mut Generator) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("rrelu", self.stream()).tensor("self", self);
        operation.placed()?;
        operation.takes("RReluWithNoise", signatures::rrelu.takes, self.dtype())?;
        is_range(&operation, lower, upper)?;
        let products = operation.empty(self.shape(), self.dtype())?;
        let slopes = operation.empty(self.shape(), self.dtype())?;
        let [lower, upper] = [lower, upper].map(|limit| Scalar::from(limit as f32));
        let (seed, offset) = reserve(generator, self.numel());
        launch::RReluWithNoise(
            self.stream().into(),
            self,
            &slopes,
            &lower,
            &upper,
            true,
            seed,
            offset,
            &products,
        )?;
        Ok((products, slopes))
    }

    /// Draws 1 or 0 for every element, which is the probability of 1, in the type of the tensor.
    ///
    /// ```
    /// use aclnn::{Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let chances = Tensor::from_slice(&device, &[0.0f32, 1.0, 1.0, 0.0], [4])?;
    /// assert_eq!(chances.bernoulli(&mut Generator::new(0))?.to_vec::<f32>()?, [0.0, 1.0, 1.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) and [`Rank`](crate::Error::Rank) before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnBernoulliTensor")]
    #[inline]
    pub fn bernoulli(&self, generator: &mut Generator) -> Result<Tensor> {
        let operation = Operation::new("bernoulli", self.stream()).tensor("self", self);
        operation.placed()?;
        operation.takes("BernoulliTensor", signatures::bernoulli_tensor.takes, self.dtype())?;
        operation.takes("BernoulliTensor", signatures::bernoulli_tensor.parameters, self.dtype())?;
        let out = operation.empty(self.shape(), self.dtype())?;
        let (seed, offset) = reserve(generator, out.numel());
        launch::BernoulliTensor(self.stream().into(), self, self, seed, offset, &out)?;
        Ok(out)
    }

    /// Writes 1 with a probability, and otherwise 0, to every element. The probability is a number, or a tensor of floats that
    /// broadcasts to this one.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut coins = Tensor::zeros(&device, [8], DType::Bool)?;
    /// coins.bernoulli_in_place(1.0, &mut Generator::new(0))?;
    /// assert_eq!(coins.to_vec::<bool>()?, [true; 8]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a number that is no probability,
    /// [`Broadcast`](crate::Error::Broadcast), [`SharedElements`](crate::Error::SharedElements),
    /// [`Overlap`](crate::Error::Overlap) and [`Rank`](crate::Error::Rank) before anything is launched; or what the library
    /// returned.
    #[doc(alias = "aclnnInplaceBernoulli")]
    #[doc(alias = "aclnnInplaceBernoulliTensor")]
    pub fn bernoulli_in_place<'p>(
        &mut self,
        probability: impl IntoOperand<'p>,
        generator: &mut Generator,
    ) -> Result<()> {
        let stream = self.stream();
        let operation = Operation::new("bernoulli_in_place", stream).tensor("self", self);
        match probability.into_operand() {
            Operand::Scalar(scalar) => {
                let operation = operation.scalar("probability", scalar);
                check_own(&operation, self, ("InplaceBernoulli", signatures::bernoulli.takes))?;
                let number = scalar.number().map_or(f64::NAN, |number| number.to_f64());
                is_probability(&operation, "probability", number)?;
                let (seed, offset) = reserve(generator, self.numel());
                launch::InplaceBernoulli(stream.into(), self, &Scalar::from(number as f32), seed, offset)
            }
            Operand::Tensor(tensor) => {
                let operation = operation.tensor("probability", tensor);
                check_own(&operation, self, ("InplaceBernoulliTensor", signatures::bernoulli_tensor.takes))?;
                operation.takes(
                    "InplaceBernoulliTensor",
                    signatures::bernoulli_tensor.parameters,
                    tensor.dtype(),
                )?;
                let common = operation.broadcast(tensor.shape(), self.shape())?;
                operation.writable("self", self, &common)?;
                // The library does not say that it repeats probabilities.
                let tensor = tensor.broadcast_to(self.shape())?;
                let (seed, offset) = reserve(generator, self.numel());
                launch::InplaceBernoulliTensor(stream.into(), self, &tensor, seed, offset)
            }
        }
    }
}

/// Draws a number of a normal distribution for each pair of a mean and a standard deviation, one of which at least is a tensor
/// of floats, with which the other is broadcast. The result has the type of the first tensor.
///
/// ```
/// use aclnn::{Device, Generator, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let means = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
/// assert_eq!(ops::normal(&means, 0.0, &mut Generator::new(0))?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for two numbers, whose tensor
/// [`Tensor::normal`] makes, and for a number that is a negative deviation, [`Broadcast`](crate::Error::Broadcast),
/// [`Devices`](crate::Error::Devices) and [`Rank`](crate::Error::Rank) before anything is launched;
/// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
#[doc(alias = "aclnnNormalTensorTensor")]
#[doc(alias = "aclnnNormalTensorFloat")]
#[doc(alias = "aclnnNormalFloatTensor")]
pub fn normal<'a>(
    mean: impl IntoOperand<'a>,
    std: impl IntoOperand<'a>,
    generator: &mut Generator,
) -> Result<Tensor> {
    let (mean, std) = (mean.into_operand(), std.into_operand());
    let first = match (mean, std) {
        (Operand::Tensor(first), _) | (_, Operand::Tensor(first)) => first,
        (Operand::Scalar(mean), Operand::Scalar(std)) => {
            let operands = Operands::new([mean.info("mean"), std.info("std")]);
            let reason = "mean and std are numbers; Tensor::normal makes a tensor of them".to_owned();
            return Err(Error::Argument { operator: "normal", operands, reason });
        }
    };
    let mut operation = Operation::new("normal", first.stream());
    for (name, operand) in [("mean", mean), ("std", std)] {
        operation = match operand {
            Operand::Tensor(tensor) => operation.tensor(name, tensor),
            Operand::Scalar(scalar) => operation.scalar(name, scalar),
        };
    }
    operation.placed()?;
    for operand in [mean, std] {
        if let Operand::Tensor(tensor) = operand {
            operation.takes("NormalTensorTensor", signatures::normal.parameters, tensor.dtype())?;
        }
    }
    let number = |scalar: Scalar| scalar.number().map_or(f32::NAN, |number| number.to_f64() as f32);
    let shape = match (mean, std) {
        (Operand::Tensor(mean), Operand::Tensor(std)) => operation.broadcast(mean.shape(), std.shape())?,
        _ => first.shape().clone(),
    };
    if let Operand::Scalar(std) = std {
        is_deviation(&operation, number(std))?;
    }
    let out = operation.empty(&shape, first.dtype())?;
    if out.numel() == 0 {
        return Ok(out);
    }
    let (seed, offset) = reserve(generator, out.numel());
    let on = first.stream().into();
    match (mean, std) {
        (Operand::Tensor(mean), Operand::Tensor(std)) => {
            launch::NormalTensorTensor(on, mean, std, seed, offset, &out)?;
        }
        (Operand::Tensor(mean), Operand::Scalar(std)) => {
            launch::NormalTensorFloat(on, mean, number(std), seed, offset, &out)?;
        }
        (Operand::Scalar(mean), Operand::Tensor(std)) => {
            launch::NormalFloatTensor(on, number(mean), std, seed, offset, &out)?;
        }
        (Operand::Scalar(_), Operand::Scalar(_)) => {}
    }
    Ok(out)
}

/// Checks that a range does not end before it starts, and that neither end is NaN.
#[inline]
fn is_range(operation: &Operation<'_>, from: f64, to: f64) -> Result<()> {
    match from <= to {
        true => Ok(()),
        false => Err(operation.refused(format!("no range leads from {from} to {to}"))),
    }
}

#[inline]
fn is_deviation(operation: &Operation<'_>, std: f32) -> Result<()> {
    match std >= 0.0 {
        true => Ok(()),
        false => Err(operation.refused(format!("the standard deviation is {std}, but must not be negative"))),
    }
}
