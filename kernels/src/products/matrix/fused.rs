//! Products of whole operands, of which some are quantised, and the steps from their sums to results.
//!
//! Floats are multiplied in f32. Integers are multiplied in f64, in which every sum of products of bytes is exact. The steps
//! are computed in f64, so that a result is rounded once: to the type of the output, from f32 if that is shorter.

use std::borrow::Cow;
use std::ops::Range;

use super::codes::{Code, Codes, Floats, Grid, Scaling};
use super::pairs::Pairs;
use super::products::{Compute, Products};
use super::vectors::Make;
use crate::functions::special;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// Products, one after the other.
pub struct Fused {
    /// The type as which each input is read.
    pub inputs: Vec<Reading>,
    /// From f64 to the type of each output.
    pub outputs: Vec<Conversions>,
    pub jobs: Jobs,
    pub groups: Option<Groups>,
}

/// The type as which an input is read.
pub enum Reading {
    /// As f32.
    Single(Conversions),
    /// As f64.
    Double(Conversions),
    /// As f32, from integers of eight bits.
    Bytes,
    /// As f32, from codes of four bits.
    Nibbles,
    /// As i64.
    Whole,
}

/// The elements of an input, one after the other.
enum Numbers<'a> {
    Single(Vec<f32>),
    Double(Vec<f64>),
    Whole(Vec<i64>),
    Codes(Codes<'a>),
}

/// All products.
pub enum Jobs {
    Each(Vec<Job>),
    /// The same product of each pair of matrices.
    OfPairs {
        /// Of the first pair.
        job: Box<Job>,
        pairs: Pairs,
        /// How many rows further the numbers of steps are for the next pair.
        rows_below: usize,
    },
}

impl Jobs {
    /// Returns the same products, whose sums go on with `steps`; the numbers of these are for rows below each other.
    pub fn followed_by(mut self, steps: &[Step], rows: usize) -> Self {
        if let Jobs::OfPairs { rows_below, .. } = &mut self {
            *rows_below = rows;
        }
        self.change(|job| job.steps = steps.to_vec())
    }

    /// Returns the same products, whose right factors become floats so.
    pub fn of_integers(self, antiquant: Antiquant) -> Self {
        self.change(|job| job.antiquant = Some(antiquant))
    }

    fn change(mut self, change: impl FnMut(&mut Job)) -> Self {
        match &mut self {
            Jobs::Each(jobs) => jobs.iter_mut().for_each(change),
            Jobs::OfPairs { job, .. } => [&mut **job].into_iter().for_each(change),
        }
        self
    }

    fn len(&self) -> usize {
        match self {
            Jobs::Each(jobs) => jobs.len(),
            Jobs::OfPairs { pairs, .. } => pairs.len(),
        }
    }

    /// Returns whether elements of an input are a right factor that is shifted and scaled.
    fn scale(&self, input: usize) -> bool {
        let scales = |job: &Job| job.right.input == input && job.antiquant.is_some();
        match self {
            Jobs::Each(jobs) => jobs.iter().any(scales),
            Jobs::OfPairs { job, .. } => scales(job),
        }
    }

    fn at(&self, number: usize) -> Cow<'_, Job> {
        match self {
            Jobs::Each(jobs) => Cow::Borrowed(&jobs[number]),
            Jobs::OfPairs { job, pairs, rows_below } => {
                let ([left, right], [m, k, n]) = (pairs.at(number), job.sizes);
                let mut job = Job::clone(job);
                (job.left.first, job.right.first) = (left * m * k, right * k * n);
                job.output.1 = number * m * n;
                job.steps.iter_mut().for_each(|step| *step = step.below(number * rows_below));
                Cow::Owned(job)
            }
        }
    }
}

/// One product.
#[derive(Clone)]
pub struct Job {
    /// Rows of the result, the common axis, columns.
    pub sizes: [usize; 3],
    pub left: Side,
    pub right: Side,
    /// The conversion of the right factor to floats.
    pub antiquant: Option<Antiquant>,
    pub steps: Vec<Step>,
    /// The number of the output, and the first of its elements.
    pub output: (usize, usize),
    /// The number of the group that cuts the product.
    pub group: Option<usize>,
}

/// A matrix in an input.
#[derive(Clone, Copy)]
pub struct Side {
    pub input: usize,
    /// Its first element.
    pub first: usize,
    /// Whether its columns lie one after the other instead of its rows.
    pub by_columns: bool,
}

/// Numbers for the elements of a matrix.
#[derive(Clone, Copy)]
pub struct Spread {
    pub input: usize,
    pub first: usize,
    /// From one to the next, downwards and to the right.
    pub strides: [usize; 2],
}

/// `(weight + offset) · scale`; so many rows have one scale.
#[derive(Clone, Copy)]
pub struct Antiquant {
    pub scale: Spread,
    pub offset: Option<Spread>,
    pub rows: usize,
}

/// A step from a sum to a result.
#[derive(Clone, Copy)]
pub enum Step {
    Add(Spread),
    Multiply(Spread),
    /// Times one number.
    Scale(f64),
    Activate(Activation),
    /// To the nearest integer, halves to the even one, within a type.
    Round {
        least: f64,
        most: f64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    Relu,
    /// With the error function.
    Gelu,
    GeluByTanh,
    FastGelu,
    Silu,
}

impl Activation {
    fn of(self, x: f64) -> f64 {
        match self {
            Activation::Relu => {
                if x < 0.0 {
                    0.0
                } else {
                    x
                }
            }
            Activation::Gelu => special::double::gelu(x),
            Activation::GeluByTanh => special::double::gelu_by_tanh(x),
            Activation::FastGelu => special::double::fast_gelu(x),
            Activation::Silu => special::double::silu(x),
        }
    }
}

/// Groups of rows, or of the common axis, that are known only when a product is computed.
pub struct Groups {
    /// The input that lists them.
    pub list: usize,
    pub listed: Listed,
    pub split: Split,
    /// The number of groups, and the greatest number of elements of all of them.
    pub count: usize,
    pub most: usize,
}

/// The meaning of a number in a list of groups.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    End,
    Size,
    /// The number of the group, and its size.
    Pair,
}

/// The axis that is cut into groups.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Split {
    Rows,
    Common,
}

impl Groups {
    fn ranges(&self, list: &[i64]) -> Result<Vec<Range<usize>>> {
        let mut ranges = allocation::collect((0..self.count).map(|_| 0..0))?;
        let mut start = 0;
        let wide = if self.listed == Listed::Pair { 2 } else { 1 };
        for (number, entry) in list.chunks_exact(wide).enumerate() {
            let (group, end) = match (self.listed, entry) {
                (Listed::End, [end]) => (number as i64, *end),
                (Listed::Size, [size]) => (number as i64, size.saturating_add(start)),
                (_, [group, size]) => (*group, size.saturating_add(start)),
                _ => continue,
            };
            let place = usize::try_from(group).ok().and_then(|group| ranges.get_mut(group));
            let (Some(place), true) = (place, start <= end && end <= self.most as i64) else {
                let message = format!(
                    "entry {number} of the group list, {entry:?}, ends at {end}, behind a group that ends at {start}; \
                     there are {} groups of {} in all",
                    self.count, self.most
                );
                return Err(Failure::new(Cause::AiCore, message));
            };
            *place = start as usize..end as usize;
            start = end;
        }
        Ok(ranges)
    }
}

impl Whole for Fused {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let mut read = allocation::for_elements(inputs.len())?;
        for (number, (reading, input)) in self.inputs.iter().zip(inputs).enumerate() {
            let code = if self.jobs.scale(number) { reading.code() } else { None };
            read.push(match code {
                Some(code) => Numbers::Codes(Codes::new(code, input)?),
                None => reading.read(input)?,
            });
        }
        let ranges = match &self.groups {
            None => Vec::new(),
            Some(groups) => match read.get(groups.list) {
                Some(Numbers::Whole(list)) => groups.ranges(list)?,
                _ => return Ok(()),
            },
        };
        let mut lines = Vec::new();
        for number in 0..self.jobs.len() {
            let job = self.jobs.at(number);
            let cut =
                job.group.and_then(|group| Some((self.groups.as_ref()?.split, ranges.get(group)?.clone())));
            let job = match cut {
                Some((split, range)) => Cow::Owned(job.cut(split, range)),
                None => job,
            };
            let results = job.results(&read)?;
            let (number, first) = job.output;
            let (Some(output), Some(conversions)) = (outputs.get(number), self.outputs.get(number)) else {
                continue;
            };
            if first + results.len() > output.numel() {
                debug_assert!(false, "results of a group behind the end of output {number}");
                continue;
            }
            let bytes = allocation::bytes_of(&mut lines, results.len() * output.size())?;
            conversions.apply_all(results.len(), bytemuck::cast_slice(&results), bytes, &mut Block::new());
            output.scatter(first..first + results.len(), bytes);
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["multiply matrices", "scale"]
    }
}

impl Reading {
    /// How elements are stored that are read as f32.
    fn code(&self) -> Option<Code<'_>> {
        match self {
            Reading::Single(conversions) => Some(Code::Converted(conversions)),
            Reading::Bytes => Some(Code::Bytes),
            Reading::Nibbles => Some(Code::Nibbles),
            Reading::Double(_) | Reading::Whole => None,
        }
    }

    fn read(&self, input: &Bound<'_>) -> Result<Numbers<'static>> {
        fn converted<T: bytemuck::Pod>(input: &Bound<'_>, by: &Conversions) -> Result<Vec<T>> {
            let mut numbers = allocation::zeros(input.numel())?;
            let to = bytemuck::cast_slice_mut(&mut numbers);
            let mut lines = Vec::new();
            let stored = allocation::bytes_of(&mut lines, input.numel() * input.size())?;
            input.gather(0..input.numel(), stored);
            by.apply_all(input.numel(), stored, to, &mut Block::new());
            Ok(numbers)
        }
        fn floats(code: Code<'_>, input: &Bound<'_>) -> Result<Vec<f32>> {
            let codes = Codes::new(code, input)?;
            let mut numbers = allocation::zeros(codes.len())?;
            codes.read(0..numbers.len(), &mut numbers, &mut Block::new());
            Ok(numbers)
        }
        Ok(match self {
            Reading::Single(conversions) => Numbers::Single(converted(input, conversions)?),
            Reading::Double(conversions) => Numbers::Double(converted(input, conversions)?),
            Reading::Whole => Numbers::Whole(converted(input, &Conversions::default())?),
            Reading::Bytes => Numbers::Single(floats(Code::Bytes, input)?),
            Reading::Nibbles => Numbers::Single(floats(Code::Nibbles, input)?),
        })
    }
}

impl Step {
    /// Returns the step for the rows from one on.
    pub fn below(self, rows: usize) -> Self {
        match self {
            Step::Add(numbers) => Step::Add(numbers.below(rows)),
            Step::Multiply(numbers) => Step::Multiply(numbers.below(rows)),
            other => other,
        }
    }
}

impl Spread {
    fn below(self, rows: usize) -> Self {
        Self { first: self.first + rows * self.strides[0], ..self }
    }

    fn grid<'a>(self, read: &'a [Numbers<'_>]) -> Grid<'a> {
        let numbers = match read.get(self.input) {
            Some(Numbers::Double(numbers)) => numbers.get(self.first..).unwrap_or_default(),
            _ => &[],
        };
        Grid { numbers, strides: self.strides }
    }

    /// The number for a row and a column.
    fn at(self, read: &[Numbers<'_>]) -> impl Fn(usize, usize) -> f64 + Sync {
        let Grid { numbers, strides: [down, across] } = self.grid(read);
        move |row, column| numbers.get(row * down + column * across).copied().unwrap_or(f64::NAN)
    }
}

impl Job {
    /// Returns the part of one group.
    pub fn cut(&self, split: Split, range: Range<usize>) -> Self {
        let mut job = self.clone();
        let [m, k, n] = self.sizes;
        match split {
            Split::Rows => {
                job.sizes[0] = range.len();
                job.left.first += range.start * k;
                job.output.1 += range.start * n;
                job.steps.iter_mut().for_each(|step| *step = step.below(range.start));
            }
            Split::Common => {
                job.sizes[1] = range.len();
                job.left.first += range.start * if self.left.by_columns { m } else { 1 };
                job.right.first += range.start * n;
            }
        }
        job
    }

    fn results(&self, read: &[Numbers<'_>]) -> Result<Vec<f64>> {
        let columns = self.sizes[2].max(1);
        let mut results = self.sums(read)?;
        let mut each = |step: &dyn Fn(f64, usize, usize) -> f64| {
            for (row, results) in results.chunks_mut(columns).enumerate() {
                for (column, result) in results.iter_mut().enumerate() {
                    *result = step(*result, row, column);
                }
            }
        };
        for step in &self.steps {
            match *step {
                Step::Add(numbers) => {
                    let numbers = numbers.at(read);
                    each(&|sum, row, column| sum + numbers(row, column));
                }
                Step::Multiply(numbers) => {
                    let numbers = numbers.at(read);
                    each(&|sum, row, column| sum * numbers(row, column));
                }
                Step::Scale(factor) => each(&|sum, _, _| sum * factor),
                Step::Activate(activation) => each(&|sum, _, _| activation.of(sum)),
                Step::Round { least, most } => each(&|sum, _, _| sum.round_ties_even().clamp(least, most)),
            }
        }
        Ok(results)
    }

    fn sums(&self, read: &[Numbers<'_>]) -> Result<Vec<f64>> {
        let [m, k, n] = self.sizes;
        let (Some(left), Some(right)) = (read.get(self.left.input), read.get(self.right.input)) else {
            return Ok(Vec::new());
        };
        if k == 0 {
            return allocation::zeros(m.saturating_mul(n));
        }
        match (left, right) {
            (Numbers::Single(left), Numbers::Codes(codes)) => self.multiply_codes(left, codes, read),
            (Numbers::Single(left), Numbers::Single(right)) => {
                let right = right.get(self.right.first..).unwrap_or_default();
                self.multiply(Compute::F32, left, right)
            }
            (Numbers::Double(left), Numbers::Double(right)) => {
                let right = right.get(self.right.first..).unwrap_or_default();
                self.multiply(Compute::F64, left, right)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The sums where the right factor is quantised. Its floats are made where they are multiplied if each is used a few times.
    fn multiply_codes(&self, left: &[f32], codes: &Codes<'_>, read: &[Numbers<'_>]) -> Result<Vec<f64>> {
        let ([m, k, n], first) = (self.sizes, self.right.first);
        let Some(antiquant) = &self.antiquant else { return Ok(Vec::new()) };
        let scaling = Scaling {
            line: if self.right.by_columns { k } else { n },
            by_columns: self.right.by_columns,
            rows: antiquant.rows.max(1),
            scales: antiquant.scale.grid(read),
            shifts: antiquant.offset.map(|offset| offset.grid(read)),
        };
        let make = Floats { codes, first, scaling };
        let products =
            Products::plain(Compute::F32, self.sizes, [self.left.by_columns, self.right.by_columns]);
        let left_floats = left.get(self.left.first..).and_then(|left| left.get(..m * k));
        if let (true, Some(left)) = (products.are_few(), left_floats) {
            let mut sums = allocation::zeros::<f32>(m.saturating_mul(n))?;
            products.multiply_made(left, &make, &mut sums);
            return allocation::collect(sums.into_iter().map(Into::into));
        }
        let mut floats = allocation::zeros(k * n)?;
        make.fill(0..k * n, &mut floats, &mut Block::new());
        self.multiply(Compute::F32, left, &floats)
    }

    /// The sums of the products of all pairs of a row and a column.
    fn multiply<T: bytemuck::Pod + Into<f64>>(
        &self,
        compute: Compute,
        left: &[T],
        right: &[T],
    ) -> Result<Vec<f64>> {
        let [m, k, n] = self.sizes;
        let sides = [left.get(self.left.first..).and_then(|left| left.get(..m * k)), right.get(..k * n)];
        let [Some(left), Some(right)] = sides else { return Ok(Vec::new()) };
        let mut sums = allocation::zeros::<T>(m.saturating_mul(n))?;
        let products = Products::plain(compute, self.sizes, [self.left.by_columns, self.right.by_columns]);
        products.multiply_into(
            bytemuck::cast_slice(left),
            bytemuck::cast_slice(right),
            bytemuck::cast_slice_mut(&mut sums),
        )?;
        allocation::collect(sums.into_iter().map(Into::into))
    }
}
