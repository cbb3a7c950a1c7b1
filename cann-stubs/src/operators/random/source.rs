//! Sources of the seed and the offset of a call, and plans of random numbers drawn with them.

use aclnn_numerics::DType::{self, F64, I64, U64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use cann_kernels::random::{Distribution, Draws, Parameter, Seeds};
use cann_kernels::{Body, LaneBody, size_of_dtype};

use crate::mapped::try_mapped;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan, Tasks};
use crate::operators::conversions;
use crate::operators::plan_builder::read_lanes;
use crate::operators::plan_builder::{PlanBuilder, Used};
use crate::settings;
use crate::status::Result;

/// A seed and an offset, and the tensors that hold them.
pub(super) struct Source<'c> {
    pub(super) seeds: Seeds,
    tensors: Vec<Operand<'c>>,
    /// Whether the tensors may be u64, too.
    takes_unsigned: bool,
}

impl<'c> Source<'c> {
    /// Reads the arguments, none of which may be null.
    pub(super) fn of(call: &'c Call<'_>) -> Result<Self> {
        let offset = call.bits("offset")?;
        Ok(match call.has("seed") {
            true => {
                let seeds = Seeds::Given { seed: call.bits("seed")?, offset };
                Source { seeds, tensors: Vec::new(), takes_unsigned: false }
            }
            false => Source {
                seeds: Seeds::Read { offset },
                tensors: vec![call.tensor("seedTensor")?, call.tensor("offsetTensor")?],
                takes_unsigned: call.info.function() == "uniform",
            },
        })
    }

    /// Checks that each tensor holds one number.
    pub(super) fn check(&self) -> Result {
        for tensor in &self.tensors {
            let is_taken = match tensor.known_dtype() {
                Some(U64) => self.takes_unsigned,
                dtype => dtype == Some(I64),
            };
            if !is_taken {
                return invalid(format_args!("{} is not i64", tensor.name));
            }
            if tensor.shape()?[..] != [1] {
                return invalid(format_args!("{} has shape {}, not [1]", tensor.name, tensor.shape()?));
            }
        }
        Ok(())
    }

    /// Who draws: the processors of the 910 and the 310P, and for f64 those of the 950.
    pub(super) fn tasks(dtype: DType) -> Tasks {
        match settings::get().product {
            Product::Ascend910 | Product::Ascend310P => Tasks::Processors,
            Product::Ascend950 if dtype == F64 => Tasks::Processors,
            _ => Tasks::Cores,
        }
    }

    /// Computes every element of the output. The body reads the tensors of this source, then `inputs`.
    pub(super) fn elements(
        &self,
        inputs: &[(&Operand, DType)],
        (output, dtype): (&Operand, DType),
        body: impl Body + 'static,
    ) -> Result<Plan> {
        let tensors = self.tensors.iter().map(|tensor| (tensor, I64));
        let inputs: Vec<(&Operand, DType)> = tensors.chain(inputs.iter().copied()).collect();
        let plan = Plan::new(&inputs, (output, dtype), output.shape()?, 0, body)?;
        Ok(plan.by(Self::tasks(dtype)))
    }

    /// Draws every element of the output, through the types of a chain. Parameters are numbers or tensors.
    pub(super) fn draw(
        &self,
        distribution: Distribution,
        parameters: &[Given<'_>],
        (output, through): (&Operand, &[DType]),
    ) -> Result<Plan> {
        let draws = self.drawn(distribution, parameters, through)?;
        let tensors = parameters.iter().filter_map(|parameter| match parameter {
            Given::Number(_) => None,
            Given::Tensor(tensor, dtype) => Some((*tensor, *dtype)),
        });
        let inputs: Vec<(&Operand, DType)> = tensors.collect();
        self.elements(&inputs, (output, through.last().copied().unwrap_or(DType::F32)), draws)
    }

    /// The body that draws elements through the types of a chain.
    pub(super) fn drawn(
        &self,
        distribution: Distribution,
        parameters: &[Given<'_>],
        through: &[DType],
    ) -> Result<Draws> {
        let parameters = try_mapped(parameters, |parameter| {
            Ok(match parameter {
                Given::Number(number) => Parameter::Value(*number as f32),
                Given::Tensor(_, dtype) => Parameter::Input(conversions::through(&[*dtype, DType::F32])?),
            })
        })?;
        Ok(Draws {
            seeds: self.seeds,
            distribution,
            parameters,
            result: conversions::through(through)?,
            size: through.last().map_or(0, |dtype| size_of_dtype(*dtype)),
        })
    }

    /// Computes lanes, each of which gets the tensors of this source before `inputs`.
    pub(super) fn lanes(
        &self,
        mut builder: PlanBuilder,
        inputs: impl AsRef<[Used]>,
        output: Used,
        count: usize,
        body: impl LaneBody + 'static,
    ) -> Result<PlanBuilder> {
        let mut all = Vec::new();
        for tensor in &self.tensors {
            let view = tensor.view(I64, &Shape::from([count, 1]))?;
            all.push((builder.read(tensor, view, true), read_lanes(1, I64, I64)?));
        }
        all.extend_from_slice(inputs.as_ref());
        builder.lanes(all, [output], count, body);
        Ok(builder)
    }
}

/// A parameter of a distribution as a call gives it.
pub(super) enum Given<'a> {
    Number(f64),
    Tensor(&'a Operand<'a>, DType),
}
