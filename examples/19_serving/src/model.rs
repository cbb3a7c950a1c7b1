//! The decoder of example 15 in f16, with weights of eight bits. Its sizes are those of `model.py` there.

use std::collections::BTreeMap;

use aclnn::ops::{HeadLayout, PagedCache, PagedSizes, PagedStep, Rotation};
use aclnn::{DType, Device, Result, Tensor, ops};

const WIDTH: usize = 64;
const HEADS: usize = 4;
const LAYERS: usize = 2;
const EPSILON: f64 = 1e-5;
const SIZE: usize = WIDTH / HEADS;

/// The most tokens of a sequence.
pub(crate) const CONTEXT: usize = 128;

pub(crate) struct Decoder {
    embedding: Tensor,
    /// The embedding as a matrix for logits, in f32, so that close ones stay different.
    out: Tensor,
    layers: Vec<Layer>,
    norm: Tensor,
    /// The angles by which the elements of a head are rotated at each position, `[CONTEXT, SIZE]`.
    cos: Tensor,
    sin: Tensor,
}

struct Layer {
    attention_norm: Tensor,
    qkv: Linear,
    out: Linear,
    mlp_norm: Tensor,
    gate_up: Linear,
    down: Linear,
}

/// A matrix of integers of eight bits, and the step of each column.
struct Linear {
    codes: Tensor,
    steps: Tensor,
}

impl Linear {
    /// Quantises a matrix, `[out, in]`: the greatest magnitude of each row is 127 steps.
    fn new(matrix: &Tensor) -> Result<Self> {
        let steps = (matrix.cast(DType::F32)?.abs()?.max(1)? / 127.0)?;
        let zeros = Tensor::zeros(matrix.device(), [steps.numel()], DType::I32)?;
        let codes = matrix.cast(DType::F32)?.quantize(&steps, &zeros, 0, DType::I8)?;
        Ok(Self { codes: codes.transpose(0, 1)?, steps })
    }

    /// Quantises each row of `x` in turn, and multiplies integers.
    fn apply(&self, x: &Tensor) -> Result<Tensor> {
        let (codes, steps) = x.quantize_rows()?;
        ops::quant_matmul(&codes, &self.codes, &self.steps).row_scale(&steps).run()
    }
}

impl Decoder {
    pub(crate) fn new(weights: &BTreeMap<String, Tensor>) -> Result<Self> {
        let layer = |number: usize| {
            let weight = |part: &str| &weights[&format!("layers.{number}.{part}.weight")];
            Ok(Layer {
                attention_norm: weight("attention_norm").clone(),
                qkv: Linear::new(weight("qkv"))?,
                out: Linear::new(weight("out"))?,
                mlp_norm: weight("mlp_norm").clone(),
                gate_up: Linear::new(weight("gate_up"))?,
                down: Linear::new(weight("down"))?,
            })
        };
        let embedding = weights["embedding.weight"].clone();
        let (cos, sin) = angles(embedding.device())?;
        let out = embedding.cast(DType::F32)?.transpose(0, 1)?;
        let layers = (0..LAYERS).map(layer).collect::<Result<_>>()?;
        Ok(Self { embedding, out, layers, norm: weights["norm.weight"].clone(), cos, sin })
    }

    /// Allocates a cache of so many blocks for keys and values of this decoder.
    pub(crate) fn cache(&self, blocks: usize) -> Result<PagedCache> {
        let sizes = PagedSizes { layers: LAYERS, blocks, block_size: 16, heads: HEADS, elements: SIZE };
        PagedCache::new(self.embedding.device(), DType::F16, sizes)
    }

    /// Returns the most likely next tokens of the sequences of a step, whose new tokens these are.
    pub(crate) fn step(&self, cache: &mut PagedCache, step: &PagedStep, tokens: &[i64]) -> Result<Vec<i64>> {
        let last: Vec<i64> = step.last_tokens().collect();
        self.next(tokens, step.positions(), &last, |layer, [query, key, value]| {
            cache.write(layer, &key, &value, step)?;
            cache.attention(layer, &query, None, step)
        })
    }

    /// Returns the most likely token behind each token of one sequence, computed from all of them at once without a cache.
    pub(crate) fn plain(&self, tokens: &[i64]) -> Result<Vec<i64>> {
        let count = tokens.len() as i64;
        let all: Vec<i64> = (0..count).collect();
        let positions = Tensor::arange(self.norm.device(), 0, count, 1, DType::I64)?;
        self.next(tokens, &positions, &all, |_, operands| {
            let [query, key, value] = operands.map(|operand| operand.unsqueeze(0));
            let (query, key, value) = (query?, key?, value?);
            ops::attention(&query, &key, &value).layout(HeadLayout::Bsnd).causal().run()
        })
    }

    /// Computes the most likely tokens behind some of the tokens. `attend` gets queries, keys and values of a layer, `[tokens,
    /// HEADS, SIZE]`.
    fn next(
        &self,
        tokens: &[i64],
        positions: &Tensor,
        last: &[i64],
        mut attend: impl FnMut(usize, [Tensor; 3]) -> Result<Tensor>,
    ) -> Result<Vec<i64>> {
        let (device, count) = (self.norm.device(), tokens.len());
        let angles_of = |table: &Tensor| table.index_select(0, positions)?.reshape([1, count, 1, SIZE]);
        let (cos, sin) = (angles_of(&self.cos)?, angles_of(&self.sin)?);
        let mut x = self.embedding.embedding(&Tensor::from_slice(device, tokens, [count])?)?;
        for (number, layer) in self.layers.iter().enumerate() {
            let all = layer.qkv.apply(&x.rms_norm(&layer.attention_norm, EPSILON)?)?;
            let all = all.reshape([1, count, 3, HEADS, SIZE])?;
            let part = |which: usize| all.select(2, which as i64)?.contiguous();
            let rotated = |which| part(which)?.rotary_embedding(&cos, &sin, Rotation::Half)?.squeeze(0);
            let mixed = attend(number, [rotated(0)?, rotated(1)?, part(2)?.squeeze(0)?])?;
            x = (&x + layer.out.apply(&mixed.reshape([count, WIDTH])?)?)?;
            let wide = layer.gate_up.apply(&x.rms_norm(&layer.mlp_norm, EPSILON)?)?;
            x = (&x + layer.down.apply(&wide.swiglu(-1)?)?)?;
        }
        let last = Tensor::from_slice(device, last, [last.len()])?;
        let rows = x.rms_norm(&self.norm, EPSILON)?.index_select(0, &last)?.cast(DType::F32)?;
        rows.matmul(&self.out)?.argmax(1)?.to_vec::<i64>()
    }
}

/// Returns the cosines and sines of angles that grow with the position: quickly for the first elements of a head, and slowly
/// for the last ones. Both halves of a head have the same.
fn angles(device: &Device) -> Result<(Tensor, Tensor)> {
    let even = Tensor::arange(device, 0, SIZE as i64, 2, DType::F32)?;
    let frequencies = (even * (-10000f32.ln() / SIZE as f32))?.exp()?;
    let half = Tensor::arange(device, 0, CONTEXT as i64, 1, DType::F32)?.outer(&frequencies)?;
    let angles = ops::cat(&[&half, &half], 1).run()?;
    Ok((angles.cos()?.cast(DType::F16)?, angles.sin()?.cast(DType::F16)?))
}
