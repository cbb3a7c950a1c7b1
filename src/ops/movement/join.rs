//! Tensors one after the other: cat and stack.

use std::fmt;

use aclnn_numerics::promote::Edition;
use aclnn_numerics::promote::output;
use aclnn_numerics::signature::Movement;
use aclnn_numerics::{DType, Shape};
use smallvec::{SmallVec, smallvec};

use super::super::prepared::{OTHERS, Prepared, Target, follow, prepared};
use super::elements::moved_as;
use crate::argument_checks::{Operation, accepts};
use crate::call::{On, launch};
use crate::error::{Error, Operands, Result};
use crate::limits::MAX_RANK;
use crate::operand::Operand;
use crate::plan::{CastBy, Choice, Plan, Policy, Role, Step, casts};
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor, axis_of};

/// An operator that joins tensors.
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    signature: Movement,
    /// Whether the tensors get an axis of their own.
    adds_axis: bool,
    launch: for<'a> fn(On<'a>, &[&'a Tensor], i64, &'a Tensor) -> Result<()>,
}

const CAT: &Operator = &Operator {
    name: "cat",
    form: "Cat",
    signature: signatures::cat,
    adds_axis: false,
    launch: |on, tensors, dim, out| launch::Cat(on, tensors, dim, out),
};

const STACK: &Operator = &Operator {
    name: "stack",
    form: "Stack",
    signature: signatures::stack,
    adds_axis: true,
    launch: |on, tensors, dim, out| launch::Stack(on, tensors, dim, out),
};

/// Tensors that are joined, with options. They are promoted to one type, from the first to the last.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Join<'a> {
    operator: &'static Operator,
    tensors: Vec<&'a Tensor>,
    axis: i128,
    dtype: Option<DType>,
    policy: Policy,
    edition: Edition,
    stream: Option<&'a Stream>,
}

impl fmt::Debug for Join<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join")
            .field("operator", &self.operator.name)
            .field("tensors", &self.tensors)
            .field("axis", &self.axis)
            .field("dtype", &self.dtype)
            .field("policy", &self.policy)
            .field("edition", &self.edition)
            .field("stream", &self.stream)
            .finish()
    }
}

/// Prepares the tensors one after the other along an axis, on which alone their sizes may differ.
///
/// Nothing is launched before [`Join::run`].
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[1i32, 2], [2])?;
/// let b = Tensor::from_slice(&device, &[0.5f32], [1])?;
/// let join = ops::cat(&[&a, &b], 0);
/// assert_eq!(join.plan()?.to_string(), "cat: Cast tensors i32→f32; Cat f32 → f32 [3]");
/// assert_eq!(join.run()?.to_vec::<f32>()?, [1.0, 2.0, 0.5]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnCat", alias = "concatenate", alias = "concat")]
pub fn cat<'a>(tensors: &[&'a Tensor], axis: impl Index) -> Join<'a> {
    Join::new(CAT, tensors, axis)
}

/// Prepares the tensors, which have one shape, one after the other along a new axis.
///
/// Nothing is launched before [`Join::run`].
#[doc(alias = "aclnnStack")]
pub fn stack<'a>(tensors: &[&'a Tensor], axis: impl Index) -> Join<'a> {
    Join::new(STACK, tensors, axis)
}

impl Tensor {
    /// Makes a tensor of the tensors one after the other along an axis, on which alone their sizes may differ. They are
    /// promoted to one type.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let b = Tensor::from_slice(&device, &[5, 6], [2, 1])?;
    /// assert_eq!(Tensor::cat(&[&a, &b], 1)?.to_vec::<i32>()?, [1, 2, 5, 3, 4, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::cat`](crate::ops::cat) takes options.
    ///
    /// # Errors
    /// Those of [`Join::run`](crate::ops::Join::run).
    #[doc(alias = "aclnnCat", alias = "concatenate", alias = "concat")]
    #[doc(alias = "hstack")]
    #[doc(alias = "vstack")]
    pub fn cat(tensors: &[&Tensor], axis: impl Index) -> Result<Tensor> {
        cat(tensors, axis).run()
    }

    /// Makes a tensor of the tensors, which have one shape, one after the other along a new axis: `axis` is its number in the
    /// result, and −1 stands for the last one. They are promoted to one type.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2], [2])?;
    /// let b = Tensor::from_slice(&device, &[3, 4], [2])?;
    /// assert_eq!(Tensor::stack(&[&a, &b], 0)?.to_vec::<i32>()?, [1, 2, 3, 4]);
    /// assert_eq!(Tensor::stack(&[&a, &b], -1)?.to_vec::<i32>()?, [1, 3, 2, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::stack`](crate::ops::stack) takes options.
    ///
    /// # Errors
    /// Those of [`Join::run`](crate::ops::Join::run).
    #[doc(alias = "aclnnStack")]
    pub fn stack(tensors: &[&Tensor], axis: impl Index) -> Result<Tensor> {
        stack(tensors, axis).run()
    }
}

/// How the tensors are joined.
pub(in crate::ops) struct How {
    axis: usize,
    /// The type as which the operator moves the elements of the result.
    seen: DType,
}

prepared! {
    ['a] Join<'a>:
    dtype("Sets the type of the result; the default is the type that the tensors are promoted to. Where the library does not make this conversion, a Cast of the result is planned."),
    policy("[`Policy::Auto`] leaves it to the library where that promotes to the same type."),
    edition,
    on("the first tensor"),
    plan,
    run_into("It must not overlap a tensor that is joined.")
}

impl<'a> Join<'a> {
    fn new(operator: &'static Operator, tensors: &[&'a Tensor], axis: impl Index) -> Self {
        let (policy, edition) = Default::default();
        let (tensors, axis) = (tensors.to_vec(), axis.number());
        Self { operator, tensors, axis, dtype: None, policy, edition, stream: None }
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](Error::Argument) if there are no tensors or their shapes do not fit, [`View`](Error::View) if the axis
    /// does not exist, [`NotPromotable`](Error::NotPromotable), [`Devices`](Error::Devices), [`Rank`](Error::Rank),
    /// [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast) and [`OutputDType`](Error::OutputDType), all before
    /// anything is launched; [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }

    #[inline]
    fn named<'o>(&self) -> Result<Operation<'o>>
    where
        'a: 'o,
    {
        let Some(stream) = self.stream.or(self.tensors.first().map(|tensor| tensor.stream())) else {
            let (operator, operands) = (self.operator.name, Operands::new([]));
            return Err(Error::Argument {
                operator,
                operands,
                reason: "there are no tensors to join".to_owned(),
            });
        };
        let operation = Operation::new(self.operator.name, stream);
        Ok(self.tensors.iter().fold(operation, |operation, tensor| operation.tensor("tensors", tensor)))
    }

    /// The shape of the result.
    #[inline]
    fn shape(&self, operation: &Operation<'_>, first: &Tensor, axis: usize) -> Result<Shape> {
        let is_joined = |index: usize| index == axis && !self.operator.adds_axis;
        for tensor in &self.tensors {
            let mut sizes = tensor.dims().iter().zip(first.dims()).enumerate();
            let is_alike = sizes.all(|(index, (size, of_first))| size == of_first || is_joined(index));
            if tensor.rank() != first.rank() || !is_alike {
                let (own, first) = (tensor.shape(), first.shape());
                let but =
                    if self.operator.adds_axis { String::new() } else { format!(" on all axes but {axis}") };
                return Err(operation.refused(format!("shapes {first} and {own} must be equal{but}")));
            }
        }
        let mut sizes: Vec<usize> = first.dims().to_vec();
        if self.operator.adds_axis {
            sizes.insert(axis, self.tensors.len());
        } else if let Some(size) = sizes.get_mut(axis) {
            *size = self.tensors.iter().fold(0, |sum: usize, tensor| sum.saturating_add(tensor.size(axis)));
        }
        if sizes.len() > MAX_RANK {
            let rank = sizes.len();
            return Err(
                operation.refused(format!("the result has {rank} axes; operators make at most {MAX_RANK}"))
            );
        }
        Ok(sizes.into())
    }
}

impl Prepared for Join<'_> {
    type Extra = How;

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        self.named()
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, How)> {
        let Operator { name, form, signature, adds_axis, .. } = self.operator;
        let operation = target.named(self.named()?);
        operation.placed()?;
        let Some(first) = self.tensors.first() else { return Err(Error::Internal { what: "no tensors" }) };
        let axes = first.rank() + usize::from(*adds_axis);
        let axis = axis_of(self.axis, axes, first.rank()).map_err(|cause| Error::View {
            view: name,
            tensor: operation.operands(),
            cause,
        })?;
        let shape = self.shape(&operation, first, axis)?;
        target.check(&operation, &shape)?;
        let not_promotable =
            |cause| Error::NotPromotable { operator: name, operands: operation.operands(), cause };
        let dtypes = || self.tensors.iter().map(|tensor| tensor.dtype());
        let fold = |edition: Edition| {
            dtypes().skip(1).try_fold(first.dtype(), |joined, next| match next == joined {
                true => Ok(joined),
                false => edition.promote(next, joined),
            })
        };
        let takes = |dtype| accepts(operation.stream.device(), signature.takes, dtype);
        let mut choice = None;
        let (joined, delegates) = match self.policy {
            Policy::Delegate => {
                for dtype in dtypes() {
                    operation.takes(form, signature.takes, dtype)?;
                }
                let joined = fold(Edition::Library).map_err(not_promotable)?;
                operation.takes(form, signature.takes, joined)?;
                (joined, true)
            }
            policy => {
                let joined = fold(self.edition).map_err(not_promotable)?;
                choice = (policy == Policy::Auto).then(|| {
                    let (library, taken) = (fold(Edition::Library).ok(), (*form, signature.takes));
                    Choice::of_several(operation.product(), taken, dtypes().chain([joined]), joined, library)
                });
                (joined, choice == Some(Choice::Delegated))
            }
        };
        let seen = moved_as(&operation, form, signature.takes, joined)?;
        let wanted = target.dtype().or(self.dtype).unwrap_or(joined);
        target.accepts(&operation, joined, wanted)?;
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        if !delegates {
            for tensor in &self.tensors {
                casts::cast_operand(&operation, Role::Operand("tensors"), tensor, joined, &mut steps)?;
            }
        }
        let direct =
            wanted == joined || seen == joined && takes(wanted) && output::refused(joined, wanted).is_none();
        let mut operands: SmallVec<[DType; 2]> = smallvec![joined];
        if delegates && dtypes().any(|dtype| dtype != joined) {
            operands = dtypes().collect();
        }
        let written = if direct { wanted } else { joined };
        steps.push(Step::Compute { operator: form, in_place: false, operands, out: written });
        if !direct {
            operation.castable(joined, wanted)?;
            steps.push(Step::Cast { operand: Role::Result, from: joined, to: wanted, by: CastBy::Cast });
        }
        let plan = Plan { operator: name, steps, compute: joined, out: wanted, shape, choice };
        Ok((plan, How { axis, seen }))
    }

    #[inline]
    fn launch(&self, plan: &Plan, How { axis, seen }: &How, out: &Tensor) -> Result<()> {
        if plan.shape.is_empty_tensor() {
            return Ok(());
        }
        let (operation, joined) = (self.named()?, plan.compute);
        let tensors = self.tensors.iter();
        let operands: Vec<(Role, Operand<'_>)> =
            tensors.map(|&tensor| (Role::Operand("tensors"), Operand::Tensor(tensor))).collect();
        follow(&operation, plan, &operands, out, |tensors, out| {
            let (stream, out) = (operation.stream.into(), out.ok_or(OTHERS)?);
            if *seen == joined {
                return (self.operator.launch)(stream, tensors, *axis as i64, out);
            }
            let tensors: Vec<Tensor> = tensors.iter().map(|tensor| tensor.with_bits_of(*seen)).collect();
            let tensors: Vec<&Tensor> = tensors.iter().collect();
            (self.operator.launch)(stream, &tensors, *axis as i64, &out.with_bits_of(*seen))
        })
    }
}
