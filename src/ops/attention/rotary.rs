//! Rotary embeddings: elements rotated by the angles of their positions.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The pairs of elements of a token that are rotated together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// Each element of the first half with its counterpart in the second, as in GPT-NeoX. Products before the 950 rotate at most
    /// 896 elements of a token, and fewer than 1,000 batches and heads. Their cosines and sines have one head, and all batches or
    /// one, or else the shape of the elements.
    #[default]
    Half,
    /// Each element with its neighbour, as in GPT-J. Before the 950 the angles are those of tokens, and all batches together have
    /// fewer than 1,000 heads.
    Interleaved,
    /// Each element of the first quarter with its counterpart in the second, and of the third with that in the fourth; on the
    /// 950 alone.
    Quarter,
    /// Each element with its neighbour; the result has the first elements of all pairs, and then the second ones. On the 910B the
    /// tensor is `[batch, head, token, 64]` of f16 or bf16, and all heads have the same angles. The 950 has no such limits.
    InterleavedHalf,
}

impl Rotation {
    /// Elements of a token come in so many parts.
    #[inline]
    fn parts(self) -> usize {
        if self == Self::Quarter { 4 } else { 2 }
    }

    #[inline]
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
    /// The gradients of the cosines and of the sines; `None` without `input`.
    pub angles: Option<(Tensor, Tensor)>,
}

/// Checks types and shapes of elements, cosines and sines.
#[inline]
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
            format!("the last axis has {size} elements, but must have a multiple of {parts} to be rotated");
        return Err(operation.refused(reason));
    }
    Ok(())
}

impl Tensor {
    /// Returns this tensor rotated by the angles of its positions: `x · cos + r(x) · sin`, where `r` exchanges the elements that `rotation`
    /// rotates together, and makes the first of them negative.
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
    /// // By a right angle.
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
    #[doc(alias = "aclnnInterleaveRope")]
    #[doc(alias = "aclnnApplyRotaryPosEmb")]
    #[doc(alias = "aclnnApplyRotaryPosEmbV2")]
    #[inline]
    pub fn rotary_embedding(&self, cos: &Tensor, sin: &Tensor, rotation: Rotation) -> Result<Tensor> {
        let operation = Operation::new("rotary_embedding", self.stream())
            .tensor("self", self)
            .tensor("cos", cos)
            .tensor("sin", sin);
        let is_interleaved =
            rotation == Rotation::InterleavedHalf && operation.product() == Some(Product::Ascend910B);
        let (by, takes) = match is_interleaved {
            true => ("InterleaveRope", signatures::deinterleaved_rotary_embedding.takes),
            false => ("RotaryPositionEmbedding", signatures::rotary_embedding.takes),
        };
        checked(&operation, by, takes, [self, cos, sin], rotation)?;
        let (own, angles) = (self.dims(), cos.dims());
        if is_interleaved && own.last() != Some(&64) {
            let reason =
                "the last axis of self must have 64 elements for this product to rotate them in this way";
            return Err(operation.refused(reason.to_owned()));
        }
        if is_interleaved && angles.get(1) != Some(&1) {
            let reason = "cos and sin must have one head for this product to rotate elements in this way";
            return Err(operation.refused(reason.to_owned()));
        }
        let out = operation.empty(self.shape().clone(), self.dtype())?;
        if out.numel() > 0 && is_interleaved {
            let spread = |angles: &Tensor| {
                let [_, heads, tokens, size] = *angles.dims() else { return Ok(angles.clone()) };
                angles.expand([own.first().copied().unwrap_or(1), heads, tokens, size])
            };
            let (cos, sin) = (spread(cos)?, spread(sin)?);
            launch::InterleaveRope(operation.stream.into(), self, &cos, &sin, &out)?;
        } else if out.numel() > 0 {
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
#[inline]
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

/// Returns queries and keys, `[tokens, heads, elements]` each, rotated by the angles that a table has for their positions.
///
/// `table` has a row for each position: the cosines of all pairs, and then their sines. Where heads have more elements than rows
/// have, the elements behind stay as they are. `positions` are `[tokens]` of i64, as [`PagedStep::positions`](crate::ops::PagedStep::positions) are.
/// The rotation is [`Half`](Rotation::Half) or [`Interleaved`](Rotation::Interleaved). A head, and a row of the table, has a
/// multiple of 64 bytes. Types are f32, f16 and bf16; the 910 and the 310P have no such operator. The work is queued on the
/// stream of `query`.
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let (ones, zeros) = (Tensor::ones(&device, [8], DType::F32)?, Tensor::zeros(&device, [8], DType::F32)?);
/// // At position 0 nothing is rotated: the cosines are 1, the sines 0. At position 1 each pair is rotated by a right angle.
/// let table = ops::cat(&[&ones, &zeros, &zeros, &ones], 0).run()?.reshape([2, 16])?;
/// let query = Tensor::arange(&device, 0, 16, 1, DType::F32)?.reshape([1, 1, 16])?;
/// let key = Tensor::ones(&device, [1, 2, 16], DType::F32)?;
/// let positions = Tensor::from_slice(&device, &[1i64], [1])?;
/// let (query, key) = ops::rotary_by_positions(&query, &key, &positions, &table, ops::Rotation::Half)?;
/// assert_eq!(query.to_vec::<f32>()?[..2], [-8.0, -9.0]);
/// assert_eq!(key.dims(), [1, 2, 16]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// As [`Tensor::rotary_embedding`]. A position that the table does not have is found when the work runs, as
/// [indices](crate::ops#indices) are.
#[doc(alias = "aclnnRopeWithSinCosCache")]
#[inline]
pub fn rotary_by_positions(
    query: &Tensor,
    key: &Tensor,
    positions: &Tensor,
    table: &Tensor,
    rotation: Rotation,
) -> Result<(Tensor, Tensor)> {
    let operation = Operation::new("rotary_by_positions", query.stream())
        .tensor("query", query)
        .tensor("key", key)
        .tensor("positions", positions)
        .tensor("table", table);
    operation.placed()?;
    let dtype = query.dtype();
    operation.takes("RopeWithSinCosCache", signatures::rotary_embedding_by_positions.takes, dtype)?;
    let [tokens, heads, elements] = operation.axes("query", query, "[tokens, heads, elements]")?;
    let [_, key_heads, _] = operation.axes("key", key, "[tokens, heads, elements]")?;
    let [rows, rotated] = operation.axes("table", table, "[positions, rotated]")?;
    operation.must_be("key", key, (dtype, &[tokens, key_heads, elements]))?;
    operation.must_be("positions", positions, (DType::I64, &[tokens]))?;
    operation.must_be("table", table, (dtype, &[rows, rotated]))?;
    let unit = 512 / dtype.bits();
    if elements == 0 || !elements.is_multiple_of(unit) {
        let reason = format!("a head of query has {elements} elements, but must have a multiple of {unit}");
        return Err(operation.refused(reason));
    }
    if !rotated.is_multiple_of(unit) || !(1..=elements).contains(&rotated) {
        return Err(operation.refused(format!(
            "a row of table has {rotated} elements, but must have a multiple of {unit}, and no more than the {elements} of a head"
        )));
    }
    let is_half = match rotation {
        Rotation::Half => true,
        Rotation::Interleaved => false,
        other => return Err(operation.refused(format!("the rotation is {other:?}, not half or interleaved"))),
    };
    for (name, number, what) in
        [("query", heads, "heads"), ("key", key_heads, "heads"), ("table", rows, "rows")]
    {
        if number == 0 && tokens > 0 {
            return Err(operation.refused(format!("{name} has no {what}, but must have some")));
        }
    }
    // Rows of all heads of a token: as they lie, where the elements of a row are next to each other.
    let rows = |tensor: &Tensor| {
        let sizes = [tokens, tensor.numel() / tokens];
        let is_dense = tensor.layout().strides().last() == Some(&1);
        tensor
            .reshape(sizes)
            .ok()
            .filter(|_| is_dense)
            .map_or_else(|| tensor.contiguous()?.reshape(sizes), Ok)
    };
    let outputs = (operation.empty(query.shape(), dtype)?, operation.empty(key.shape(), dtype)?);
    if tokens == 0 {
        return Ok(outputs);
    }
    launch::RopeWithSinCosCache(
        operation.stream.into(),
        positions,
        &rows(query)?,
        &rows(key)?,
        table,
        None,
        elements as i64,
        is_half,
        &rows(&outputs.0)?,
        &rows(&outputs.1)?,
    )?;
    Ok(outputs)
}
