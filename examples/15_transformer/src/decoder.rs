//! The decoder. Its sizes are those of `model.py`.

use std::collections::BTreeMap;

use aclnn::ops::Rotation;
use aclnn::{DType, Result, Tensor, ops};

const WIDTH: usize = 64;
const HEADS: usize = 4;
const LAYERS: usize = 2;
const EPSILON: f64 = 1e-5;

/// The elements of a head.
const SIZE: usize = WIDTH / HEADS;

/// The most tokens.
const CONTEXT: usize = 128;

pub(crate) struct Decoder {
    embedding: Tensor,
    layers: Vec<Layer>,
    norm: Tensor,
    /// The angles by which the elements of a head are rotated at each position, `[1, 1, CONTEXT, SIZE]`.
    cos: Tensor,
    sin: Tensor,
}

struct Layer {
    attention_norm: Tensor,
    qkv: Tensor,
    out: Tensor,
    mlp_norm: Tensor,
    gate_up: Tensor,
    down: Tensor,
}

impl Decoder {
    /// Takes the weights of a file, which are f16, and computes with them in f32.
    pub(crate) fn new(weights: &BTreeMap<String, Tensor>) -> Result<Self> {
        let weight = |name: &str| weights[name].cast(DType::F32);
        // PyTorch keeps matrices as [out, in]. A transposed view is multiplied as it is.
        let matrix = |name: &str| weight(name)?.transpose(0, 1);
        let layer = |number: usize| {
            let name = |part: &str| format!("layers.{number}.{part}.weight");
            Ok(Layer {
                attention_norm: weight(&name("attention_norm"))?,
                qkv: matrix(&name("qkv"))?,
                out: matrix(&name("out"))?,
                mlp_norm: weight(&name("mlp_norm"))?,
                gate_up: matrix(&name("gate_up"))?,
                down: matrix(&name("down"))?,
            })
        };
        let embedding = weight("embedding.weight")?;
        let (cos, sin) = angles(&embedding)?;
        let layers = (0..LAYERS).map(layer).collect::<Result<_>>()?;
        Ok(Self { embedding, layers, norm: weight("norm.weight")?, cos, sin })
    }

    /// Returns how likely each character follows each of the tokens, `[tokens, characters]`.
    pub(crate) fn logits(&self, tokens: &Tensor) -> Result<Tensor> {
        let count = tokens.numel();
        let (cos, sin) = (self.cos.slice(2, ..count)?, self.sin.slice(2, ..count)?);
        let mut x = self.embedding.embedding(tokens)?;
        for layer in &self.layers {
            x = (&x + layer.attention(&x, &cos, &sin)?)?;
            x = (&x + layer.network(&x)?)?;
        }
        // The embedding is used twice.
        x.rms_norm(&self.norm, EPSILON)?.matmul(&self.embedding.transpose(0, 1)?)
    }
}

impl Layer {
    /// Each token looks at those before it.
    fn attention(&self, x: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
        let count = x.dims()[0];
        // [tokens, 3 · WIDTH] → three of [1, HEADS, tokens, SIZE], which are views.
        let all = x.rms_norm(&self.attention_norm, EPSILON)?.matmul(&self.qkv)?;
        let all = all.reshape([1, count, 3, HEADS, SIZE])?.permute(&[2, 0, 3, 1, 4])?;
        let query = all.select(0, 0)?.rotary_embedding(cos, sin, Rotation::Half)?;
        let key = all.select(0, 1)?.rotary_embedding(cos, sin, Rotation::Half)?;
        let mixed = ops::attention(&query, &key, &all.select(0, 2)?).causal().run()?;
        mixed.transpose(1, 2)?.contiguous()?.reshape([count, WIDTH])?.matmul(&self.out)
    }

    /// A network whose first half is a gate for the second.
    fn network(&self, x: &Tensor) -> Result<Tensor> {
        let wide = x.rms_norm(&self.mlp_norm, EPSILON)?.matmul(&self.gate_up)?;
        wide.swiglu(-1)?.matmul(&self.down)
    }
}

/// Returns the cosines and sines of angles that grow with the position: quickly for the first elements of a head, and slowly
/// for the last ones. Both halves of a head have the same.
fn angles(like: &Tensor) -> Result<(Tensor, Tensor)> {
    let device = like.device();
    let even = Tensor::arange(device, 0, SIZE as i64, 2, DType::F32)?;
    let frequencies = (even * (-10000f32.ln() / SIZE as f32))?.exp()?;
    let positions = Tensor::arange(device, 0, CONTEXT as i64, 1, DType::F32)?;
    let half = positions.outer(&frequencies)?;
    let angles = ops::cat(&[&half, &half], 1).run()?.reshape([1, 1, CONTEXT, SIZE])?;
    Ok((angles.cos()?, angles.sin()?))
}
