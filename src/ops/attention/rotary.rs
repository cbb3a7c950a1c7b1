//! Operands turned by their positions.

use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The pairs of elements of a token that are rotated together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// Those of the first half with those of the second, as in GPT-NeoX. Products before the 950 turn up to 896 elements, of
    /// less than 1,000 batches and heads, by angles of tokens (which batches may have of their own) or of all elements.
    #[default]
    Half,
    /// Each with its neighbour, as in GPT-J. Before the 950 the angles are those of tokens, and there are less than 1,000 heads
    /// of all batches.
    Interleaved,
    /// Those of the first quarter with those of the second, and of the third with those of the fourth; on the 950 alone.
    Quarter,
    /// Each with its neighbour; the result has the first elements of all pairs, and then the second ones; on the 950 alone.
    InterleavedHalf,
}

impl Rotation {
    /// Elements of a token come in so many parts.
    fn parts(self) -> usize {
        if self == Self::Quarter { 4 } else { 2 }
    }

    fn code(self) -> i64 {
        match self {
            Self::Half => 0,
            Self::Interleaved => 1,
            Self::Quarter => 2,
            Self::InterleavedHalf => 3,
        }
    }
}

/// The gradients of a rotation, each of the shape of its operand.
#[derive(Debug, Clone)]
pub struct RotationGradients {
    /// The gradient of the elements.
    pub input: Tensor,
    /// The gradients of the cosines and of the sines, if the elements that were turned are known.
    pub angles: Option<(Tensor, Tensor)>,
}

/// Checks types and shapes of elements, cosines and sines.
fn checked(
    operation: &Operation<'_>,
    by: &'static str,
    takes: Types,
    [x, cos, sin]: [&Tensor; 3],
    rotation: Rotation,
) -> Result<()> {
    operation.placed()?;
    operation.takes(by, takes, x.dtype())?;
    if cos.dtype() != x.dtype() || sin.dtype() != x.dtype() {
        return Err(operation.refused(format!("cos and sin must be {}; cast them first", x.dtype())));
    }
    let fits = |angles: &Tensor| {
        let axes = angles.dims().iter().zip(x.dims()).enumerate();
        angles.rank() == 4 && axes.into_iter().all(|(axis, (own, of_x))| own == of_x || axis < 3 && *own == 1)
    };
    if x.rank() != 4 || !fits(cos) || cos.shape() != sin.shape() {
        let reason = "all must have four axes, of which the first three of cos and sin may have one element";
        return Err(operation.refused(reason.to_owned()));
    }
    let (size, parts) = (x.dims().last().copied().unwrap_or(0), rotation.parts());
    if size % parts != 0 {
        let reason =
            format!("the last axis has {size} elements, but must have a multiple of {parts} to be turned");
        return Err(operation.refused(reason));
    }
    Ok(())
}

impl Tensor {
    /// Returns this tensor turned by its positions: `x · cos + r(x) · sin`, where `r` exchanges the elements that `rotation`
    /// turns together, and makes the first of them negative.
    ///
    /// The tensor has four axes, the last of which has the elements of a token, an even number of them. Cosines and sines have
    /// the same type and four axes too, and a number for each element; their first three axes may have one element. Types are
    /// f32, f16 and bf16 (not on the 910 and the 310P).
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops::Rotation};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [1, 1, 1, 4])?;
    /// // A quarter of a turn.
    /// let (cos, sin) = (x.zeros_like()?, x.ones_like()?);
    /// assert_eq!(x.rotary_embedding(&cos, &sin, Rotation::Half)?.to_vec::<f32>()?, [-3.0, -4.0, 1.0, 2.0]);
    /// assert_eq!(x.rotary_embedding(&cos, &sin, Rotation::Interleaved)?.to_vec::<f32>()?, [-2.0, 1.0, -4.0, 3.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the product lacks the rotation, or if the
    /// library refuses.
    #[doc(alias = "aclnnRotaryPositionEmbedding")]
    #[doc(alias = "aclnnApplyRotaryPosEmb")]
    #[doc(alias = "aclnnApplyRotaryPosEmbV2")]
    pub fn rotary_embedding(&self, cos: &Tensor, sin: &Tensor, rotation: Rotation) -> Result<Tensor> {
        let operation = Operation::new("rotary_embedding", self.stream())
            .tensor("self", self)
            .tensor("cos", cos)
            .tensor("sin", sin);
        let takes = signatures::rotary_embedding.takes;
        checked(&operation, "RotaryPositionEmbedding", takes, [self, cos, sin], rotation)?;
        let out = operation.empty(self.shape().clone(), self.dtype())?;
        if out.numel() > 0 {
            launch::RotaryPositionEmbedding(operation.stream.into(), self, cos, sin, rotation.code(), &out)?;
        }
        Ok(out)
    }
}

/// Returns the gradients of [`Tensor::rotary_embedding`] for the gradient `grad` of its result: that of the elements, and with
/// `input`, the elements themselves, those of the cosines and the sines. The work is queued on the stream of `grad`.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let grad = Tensor::from_slice(&device, &[1.0f32, 2.0], [1, 1, 1, 2])?;
/// let (cos, sin) = (grad.zeros_like()?, grad.ones_like()?);
/// let back = ops::rotary_embedding_backward(&grad, &cos, &sin, None, ops::Rotation::Half)?;
/// assert_eq!(back.input.to_vec::<f32>()?, [2.0, -1.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// As [`Tensor::rotary_embedding`].
#[doc(alias = "aclnnRotaryPositionEmbeddingGrad")]
pub fn rotary_embedding_backward(
    grad: &Tensor,
    cos: &Tensor,
    sin: &Tensor,
    input: Option<&Tensor>,
    rotation: Rotation,
) -> Result<RotationGradients> {
    let operation = Operation::new("rotary_embedding_backward", grad.stream())
        .tensor("grad", grad)
        .tensor("cos", cos)
        .tensor("sin", sin);
    let operation = match input {
        Some(input) => operation.tensor("input", input),
        None => operation,
    };
    let takes = signatures::rotary_embedding_backward.takes;
    checked(&operation, "RotaryPositionEmbeddingGrad", takes, [grad, cos, sin], rotation)?;
    if input.is_some_and(|input| input.shape() != grad.shape() || input.dtype() != grad.dtype()) {
        return Err(operation.refused("input must have the shape and the type of grad".to_owned()));
    }
    let dx = operation.empty(grad.shape().clone(), grad.dtype())?;
    let angle = || operation.empty(cos.shape().clone(), cos.dtype());
    let angles = match input {
        Some(_) => Some((angle()?, angle()?)),
        None => None,
    };
    let (dcos, dsin) = (angles.as_ref().map(|(dcos, _)| dcos), angles.as_ref().map(|(_, dsin)| dsin));
    if dx.numel() > 0 {
        let on = operation.stream.into();
        launch::RotaryPositionEmbeddingGrad(on, grad, cos, sin, input, rotation.code(), &dx, dcos, dsin)?;
    } else {
        // Sums of nothing.
        for angle in [dcos, dsin].into_iter().flatten().filter(|angle| angle.numel() > 0) {
            launch::InplaceZero(operation.stream.into(), angle)?;
        }
    }
    Ok(RotationGradients { input: dx, angles })
}
