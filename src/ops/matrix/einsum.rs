//! Sums of products that an equation names, made of products of matrices where they can be.

use aclnn_numerics::Shape;
use smallvec::SmallVec;

use super::equation::{Equation, Label, Labels};
use crate::argument_checks::{Operation, accepts};
use crate::call::launch;
use crate::error::{Error, Operands, Result};
use crate::ops::prepared::OTHERS;
use crate::ops::reductions::sum;
use crate::signatures;
use crate::tensor::Tensor;

/// Returns the sums of products of tensors that an equation names, as `numpy.einsum` and `torch.einsum` do.
///
/// Each letter names an axis, and the same letter the same one: products are summed over the letters that the result has not.
/// `...` stands for the axes that have no letters, and blanks for nothing; without `->` the axes of the result are those of
/// `...`, then the letters that stand there once, in the order of the alphabet, large ones first. An axis of one element is
/// repeated where another operand has more of them.
///
/// All operands have one type. CANN's operator knows two equations alone, so that this function is made of others: products of
/// matrices for f32, f16 and bf16, in the order of the operands, and otherwise products of elements and sums of them, for which
/// memory is needed; sums of integers wrap.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
/// let b = Tensor::from_slice(&device, &[1.0f32, 10.0], [2])?;
/// assert_eq!(ops::einsum("ij,j->i", &[&a, &b])?.to_vec::<f32>()?, [21.0, 43.0]);
/// assert_eq!(ops::einsum("ii", &[&a])?.to_vec::<f32>()?, [5.0]); // the sum of the diagonal
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Argument`](crate::Error::Argument) if the equation does not suit the operands, [`Devices`](crate::Error::Devices),
/// [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), before anything is launched;
/// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
#[doc(alias = "aclnnEinsum")]
#[inline]
pub fn einsum(equation: &str, operands: &[&Tensor]) -> Result<Tensor> {
    let Some(first) = operands.first() else {
        let reason = "there are no operands".to_owned();
        return Err(Error::Argument { operator: "einsum", operands: Operands::new([]), reason });
    };
    let operation = operands.iter().fold(Operation::new("einsum", first.stream()), |operation, operand| {
        operation.tensor("operand", operand)
    });
    operation.placed()?;
    if operands.iter().any(|operand| operand.dtype() != first.dtype()) {
        return Err(operation.refused("all operands must have one type; cast some of them".to_owned()));
    }
    let ranks: SmallVec<[usize; 4]> = operands.iter().map(|operand| operand.rank()).collect();
    let equation = Equation::read(equation, &ranks).map_err(|why| operation.refused(why))?;
    let shapes: SmallVec<[&Shape; 4]> = operands.iter().map(|operand| operand.shape()).collect();
    let size = |label: Label| equation.size(&shapes, label).map_err(|why| operation.refused(why));
    for label in equation.operands.iter().flatten() {
        size(*label)?;
    }
    if let Some(out) = as_operator(&operation, &equation, operands)? {
        return Ok(out);
    }
    let mut parts = equation.operands.iter().zip(operands).map(|(labels, operand)| Part::of(operand, labels));
    let mut whole = parts.next().transpose()?.ok_or(OTHERS)?;
    for (number, part) in parts.enumerate() {
        let later = equation.operands.get(number + 2..).unwrap_or_default().iter().flatten();
        let kept: Labels = equation.result.iter().chain(later).copied().collect();
        whole = whole.times(part?, &kept, &size)?;
    }
    let whole = whole.summed(|label| equation.result.contains(&label))?;
    let sizes = equation.result.iter().map(|label| size(*label)).collect::<Result<Shape>>()?;
    let result = whole.ordered(&equation.result)?.tensor.broadcast_to(sizes)?;
    // A view of an operand is no new tensor.
    match operands.iter().any(|operand| operand.shares_buffer_with(&result)) {
        true => result.copy(),
        false => result.contiguous(),
    }
}

impl Tensor {
    /// Returns the sum of products that an equation of letters describes, as [`ops::einsum`](crate::ops::einsum()) does.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// assert_eq!(Tensor::einsum("ij,kj->ik", &[&x, &x])?.to_vec::<f32>()?, [5.0, 11.0, 11.0, 25.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of that function.
    #[inline]
    pub fn einsum(equation: &str, operands: &[&Tensor]) -> Result<Tensor> {
        einsum(equation, operands)
    }
}

/// The result of CANN's own operator, for the equation that is no product of matrices for others.
#[inline]
fn as_operator(
    operation: &Operation<'_>,
    equation: &Equation,
    operands: &[&Tensor],
) -> Result<Option<Tensor>> {
    let ([a, b], [x, y]) = (equation.operands.as_slice(), operands) else { return Ok(None) };
    let (Some((last, outer)), [.., rows, _]) = (a.split_last(), b.as_slice()) else { return Ok(None) };
    let is_known = a.len() == 4
        && outer == b.get(..3).unwrap_or_default()
        && b.len() == 5
        && b.last() == Some(last)
        && equation.result.split_last() == Some((rows, outer))
        && a.iter()
            .chain([rows])
            .all(|label| a.iter().chain([rows]).filter(|other| *other == label).count() == 1);
    let is_plain = x.dims().get(..3) == y.dims().get(..3) && x.dims().last() == y.dims().last();
    let takes =
        x.dtype().is_float() && accepts(operation.stream.device(), signatures::einsum.takes, x.dtype());
    if !is_known || !is_plain || !takes || x.numel() == 0 || y.numel() == 0 {
        return Ok(None);
    }
    let sizes: Shape = y.dims().iter().take(4).copied().collect();
    let out = operation.empty(sizes, x.dtype())?;
    launch::Einsum(operation.stream.into(), operands, c"abcd,abced->abce", &out)?;
    Ok(Some(out))
}

/// A tensor with labels on its axes, each once.
struct Part {
    tensor: Tensor,
    labels: Labels,
}

impl Part {
    /// An operand; of axes with one label the diagonal is taken.
    #[inline]
    fn of(tensor: &Tensor, labels: &Labels) -> Result<Self> {
        let (mut tensor, mut labels) = (tensor.clone(), labels.clone());
        let twice = |labels: &Labels| {
            let first = |number: usize| labels.iter().position(|label| labels.get(number) == Some(label));
            (0..labels.len())
                .find_map(|number| first(number).filter(|first| *first < number).map(|first| (first, number)))
        };
        while let Some((first, second)) = twice(&labels) {
            // The axis of the diagonal is the last one.
            tensor = tensor.diagonal(0, first, second)?;
            let label = labels.remove(second);
            labels.remove(first);
            labels.push(label);
        }
        Ok(Self { tensor, labels })
    }

    /// The sums over the axes that are not kept.
    fn summed(self, keeps: impl Fn(Label) -> bool) -> Result<Self> {
        let axes: Vec<usize> = (0..self.labels.len())
            .filter(|axis| self.labels.get(*axis).is_some_and(|label| !keeps(*label)))
            .collect();
        if axes.is_empty() {
            return Ok(self);
        }
        let tensor = sum(&self.tensor).axes(&axes).dtype(self.tensor.dtype()).run()?;
        let labels = self.labels.into_iter().filter(|label| keeps(*label)).collect();
        Ok(Self { tensor, labels })
    }

    /// A view with the axes of these labels, in their order; those that it has not have one element.
    #[inline]
    fn ordered(&self, labels: &[Label]) -> Result<Self> {
        let mut tensor = self.tensor.clone();
        let mut own = self.labels.clone();
        for label in labels {
            if !own.contains(label) {
                tensor = tensor.unsqueeze(own.len())?;
                own.push(*label);
            }
        }
        let axes: SmallVec<[usize; 8]> =
            labels.iter().filter_map(|label| own.iter().position(|other| other == label)).collect();
        Ok(Self { tensor: tensor.permute(&axes)?, labels: labels.into() })
    }

    /// The product with another part, summed over the labels that are not kept.
    #[inline]
    fn times(self, other: Part, kept: &[Label], size: &dyn Fn(Label) -> Result<usize>) -> Result<Part> {
        let left = self.summed(|label| other.labels.contains(&label) || kept.contains(&label))?;
        let right = other.summed(|label| left.labels.contains(&label) || kept.contains(&label))?;
        let of = |own: &Labels, is_shared: bool, is_kept: bool, beside: &Labels| -> Labels {
            own.iter()
                .copied()
                .filter(|label| beside.contains(label) == is_shared && kept.contains(label) == is_kept)
                .collect()
        };
        let batch = of(&left.labels, true, true, &right.labels);
        let common = of(&left.labels, true, false, &right.labels);
        let rows = of(&left.labels, false, true, &right.labels);
        let columns = of(&right.labels, false, true, &left.labels);
        let labels: Labels = [&batch[..], &rows, &columns].concat().into();
        let sizes =
            |labels: &[Label]| labels.iter().map(|label| size(*label)).collect::<Result<Vec<usize>>>();
        let has_products = accepts(left.tensor.device(), signatures::matmul.takes, left.tensor.dtype());
        if !has_products || common.is_empty() {
            let all = [&labels[..], &common].concat();
            let [a, b] = [left.ordered(&all)?.tensor, right.ordered(&all)?.tensor];
            // An axis of one element in both has more in a later operand.
            let spread = if common.is_empty() {
                a
            } else {
                a.broadcast_to(mixed(a.dims(), &sizes(&all)?, labels.len()))?
            };
            return Part { tensor: spread.mul(&b)?, labels: all.into() }
                .summed(|label| labels.contains(&label));
        }
        let numel = |labels: &[Label]| sizes(labels).map(|sizes| sizes.iter().product::<usize>());
        let as_matrices = |part: &Part, first: &[Label], second: &[Label]| {
            let order = [&batch[..], first, second].concat();
            let whole = part.ordered(&order)?.tensor.broadcast_to(Shape::from(sizes(&order)?))?;
            let shape = [numel(&batch)?, numel(first)?, numel(second)?];
            // Views that cannot be seen so are copied.
            whole.reshape(shape).or_else(|_| whole.copy()?.reshape(shape))
        };
        let product = as_matrices(&left, &rows, &common)?.matmul(&as_matrices(&right, &common, &columns)?)?;
        Ok(Part { tensor: product.reshape(Shape::from(sizes(&labels)?))?, labels })
    }
}

/// The own sizes of the first axes, and the common ones of those that are summed.
#[inline]
fn mixed(own: &[usize], common: &[usize], kept: usize) -> Shape {
    own.iter().take(kept).chain(common.iter().skip(kept)).copied().collect()
}
