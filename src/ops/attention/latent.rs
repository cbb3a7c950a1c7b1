//! The caches of latent attention, in which all heads share what is kept of a token.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Overlap, Tensor};

/// The elements of a latent vector and of a rotated key that the operator takes before the 950.
const SIZES: [usize; 2] = [512, 64];

/// New tokens for the caches of latent attention, with options.
#[must_use = "nothing is launched before `write`"]
#[derive(Debug, Clone)]
pub struct LatentKeys<'a> {
    states: &'a Tensor,
    weight: &'a Tensor,
    cos: &'a Tensor,
    sin: &'a Tensor,
    slots: &'a Tensor,
    epsilon: f64,
    stream: Option<&'a Stream>,
}

/// Prepares what latent attention (MLA), as DeepSeek's models have it, keeps of new tokens.
///
/// `states` is `[tokens, latent + rotated]`: a latent vector, which is divided by the root of its mean square and multiplied by
/// `weight`, `[latent]`; and behind it the part of the key that all heads share, which is rotated by the angles of the token,
/// `cos` and `sin` of `[tokens, rotated]`, as [`Rotation::InterleavedHalf`](crate::ops::Rotation::InterleavedHalf) does. `slots`,
/// `[tokens]` of i64, tells the place of each token in the caches; a token with a negative one is not written. Each slot occurs at
/// most once, as it is not defined which of two tokens stays. A slot behind the caches is found when the work runs, as
/// [indices](crate::ops#indices) are.
///
/// All but `slots` are f16 or bf16, of one type. On the 910B a latent vector has 512 elements and the rotated part 64; on the 950 the
/// rotated part has an even number. The 910 and the 310P have no such operator.
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let ones = |dims: &[usize]| Tensor::ones(&device, dims, DType::F16);
/// // One token, which is not rotated, for slot 5: the second one of the second block of four.
/// let (states, weight) = (ones(&[1, 576])?, ones(&[512])?);
/// let (cos, sin) = (ones(&[1, 64])?, Tensor::zeros(&device, [1, 64], DType::F16)?);
/// let slots = Tensor::from_slice(&device, &[5i64], [1])?;
/// let mut latents = Tensor::zeros(&device, [2, 4, 512], DType::F16)?;
/// let mut keys = Tensor::zeros(&device, [2, 4, 64], DType::F16)?;
/// ops::latent_keys(&states, &weight, &cos, &sin, &slots).write(&mut latents, &mut keys)?;
/// assert_eq!(keys.cast(DType::F32)?.sum(2)?.to_vec::<f32>()?, [0.0, 0.0, 0.0, 0.0, 0.0, 64.0, 0.0, 0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[inline]
pub fn latent_keys<'a>(
    states: &'a Tensor,
    weight: &'a Tensor,
    cos: &'a Tensor,
    sin: &'a Tensor,
    slots: &'a Tensor,
) -> LatentKeys<'a> {
    LatentKeys { states, weight, cos, sin, slots, epsilon: 1e-5, stream: None }
}

prepared! {
    ['a] LatentKeys<'a>:
    on("the states")
}

impl LatentKeys<'_> {
    /// Sets what is added to the mean square; the default is 1e-5.
    #[inline]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = epsilon;
        self
    }

    /// Queues the work, which writes the latent vectors and the rotated keys to their slots of `[blocks, block_size, latent]` and
    /// `[blocks, block_size, rotated]`. Returns both as well, `[tokens, latent]` and `[tokens, rotated]`, as attention over a new
    /// prompt needs them.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for shapes or types that do not go together, [`Devices`](crate::Error::Devices),
    /// [`Overlap`](crate::Error::Overlap), [`SharedElements`](crate::Error::SharedElements) and
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnKvRmsNormRopeCache")]
    #[inline]
    pub fn write(&self, latents: &mut Tensor, keys: &mut Tensor) -> Result<(Tensor, Tensor)> {
        let (states, stream) = (self.states, self.stream.unwrap_or(self.states.stream()));
        let operation = Operation::new("latent_keys", stream)
            .tensor("states", states)
            .tensor("weight", self.weight)
            .tensor("cos", self.cos)
            .tensor("sin", self.sin)
            .tensor("slots", self.slots)
            .tensor("latents", latents)
            .tensor("keys", keys);
        operation.placed()?;
        let dtype = states.dtype();
        operation.takes("KvRmsNormRopeCache", signatures::norm_rope_cache.takes, dtype)?;
        let [tokens, all] = operation.axes("states", states, "[tokens, latent + rotated]")?;
        let [latent] = operation.axes("weight", self.weight, "[latent]")?;
        let [_, rotated] = operation.axes("cos", self.cos, "[tokens, rotated]")?;
        let [blocks, size, _] = operation.axes("latents", latents, "[blocks, block_size, latent]")?;
        for (name, own, taken) in [("weight", latent, SIZES[0]), ("cos", rotated, SIZES[1])] {
            if operation.product() == Some(Product::Ascend910B) && own != taken {
                let reason = format!("{name} has {own} elements for a token, but this product takes {taken}");
                return Err(operation.refused(reason));
            }
        }
        if latent == 0 {
            return Err(operation.refused("weight has no elements, but must have some".to_owned()));
        }
        if rotated == 0 || !rotated.is_multiple_of(2) {
            let reason = format!("cos has {rotated} elements for a token, but pairs of them are rotated");
            return Err(operation.refused(reason));
        }
        if latent.checked_add(rotated) != Some(all) {
            return Err(operation.refused(format!(
                "states has {all} elements for a token, but must have the {latent} of weight and the {rotated} of cos"
            )));
        }
        operation.must_be("weight", self.weight, (dtype, &[latent]))?;
        operation.must_be("cos", self.cos, (dtype, &[tokens, rotated]))?;
        operation.must_be("sin", self.sin, (dtype, &[tokens, rotated]))?;
        operation.must_be("slots", self.slots, (DType::I64, &[tokens]))?;
        operation.must_be("latents", latents, (dtype, &[blocks, size, latent]))?;
        operation.must_be("keys", keys, (dtype, &[blocks, size, rotated]))?;
        if size == 0 || blocks == 0 {
            return Err(operation.refused("latents has no slots, but must have some".to_owned()));
        }
        operation.writable("latents", latents, latents.shape())?;
        operation.writable("keys", keys, keys.shape())?;
        if latents.overlap(keys) != Overlap::None {
            return Err(operation
                .refused("keys overlaps latents, but each cache must have its own memory".to_owned()));
        }
        let by_token = |tensor: &Tensor| tensor.unsqueeze(1)?.unsqueeze(1);
        let outputs = (operation.empty([tokens, latent], dtype)?, operation.empty([tokens, rotated], dtype)?);
        if tokens == 0 {
            return Ok(outputs);
        }
        launch::KvRmsNormRopeCache(
            operation.stream.into(),
            &by_token(states)?,
            self.weight,
            &by_token(self.cos)?,
            &by_token(self.sin)?,
            self.slots,
            &keys.unsqueeze(2)?,
            &latents.unsqueeze(2)?,
            None,
            None,
            None,
            None,
            self.epsilon,
            c"PA",
            true,
            &by_token(&outputs.1)?,
            &by_token(&outputs.0)?,
        )?;
        Ok(outputs)
    }
}
