//! Keys and values of many sequences in the blocks of one cache, and attention over them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use aclnn_numerics::DType;

use super::infer::Inference;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The mode in which each query sees its own key and those before it, counted from the last ones, by a mask of this size.
const CAUSAL_FROM_THE_END: i64 = 3;
const MASK: usize = 2048;

/// The sizes of a [`PagedCache`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PagedSizes {
    /// Layers of attention, each with keys and values of its own.
    pub layers: usize,
    /// Blocks of a layer, which all sequences share.
    pub blocks: usize,
    /// Tokens of a block: a multiple of 16 up to 128.
    pub block_size: usize,
    /// Heads of keys and of values.
    pub heads: usize,
    /// Elements of a head.
    pub elements: usize,
}

/// The name of a sequence in a [`PagedCache`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequenceId {
    /// The number of the cache.
    cache: u64,
    number: u64,
}

/// The blocks of a sequence, and its tokens so far.
#[derive(Debug, Default)]
struct Sequence {
    blocks: Vec<i32>,
    tokens: usize,
}

/// The keys and values of many sequences, in blocks that belong to one sequence each.
///
/// A sequence takes blocks as it grows and gives them back when it ends, so that memory is bound by the tokens that there are
/// and not by the longest sequence. A step of a model computes some new tokens of some sequences at once:
/// [`extend`](PagedCache::extend) finds places for them, each layer [writes](PagedCache::write) its keys and values there and
/// [attends](PagedCache::attention) to all tokens of the sequences so far. Prompts and single tokens may share a step.
///
/// ```
/// use aclnn::ops::{PagedCache, PagedSizes};
/// use aclnn::{DType, Device, Tensor};
///
/// let device = Device::open(0)?;
/// let sizes = PagedSizes { layers: 1, blocks: 4, block_size: 16, heads: 1, elements: 16 };
/// let mut cache = PagedCache::new(&device, DType::F16, sizes)?;
/// let (first, second) = (cache.add(), cache.add());
/// // A prompt of three tokens, and one of a single token, one behind the other.
/// let step = cache.extend(&[(first, 3), (second, 1)])?;
/// assert_eq!(step.positions().to_vec::<i64>()?, [0, 1, 2, 0]);
/// let tokens = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 10.0], [4, 1, 1])?;
/// let value = tokens.expand([4, 1, 16])?.contiguous()?.cast(DType::F16)?;
/// let key = Tensor::ones(&device, [4, 1, 16], DType::F16)?;
/// cache.write(0, &key, &value, &step)?;
/// // All keys match alike: each query has the mean of the values of its sequence up to its own.
/// let out = cache.attention(0, &key, None, &step)?.cast(DType::F32)?.select(2, 0)?;
/// assert_eq!(out.reshape([4])?.to_vec::<f32>()?, [1.0, 1.5, 2.0, 10.0]);
/// assert_eq!(cache.free_blocks(), 2);
/// cache.remove(first);
/// assert_eq!(cache.free_blocks(), 3);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// The device computes this with block tables on the 910B.
#[derive(Debug)]
pub struct PagedCache {
    sizes: PagedSizes,
    dtype: DType,
    stream: Stream,
    /// Keys and values of each layer, `[blocks, block_size, heads, elements]`.
    layers: Vec<[Tensor; 2]>,
    /// The mask of what lies behind the diagonal.
    behind: Tensor,
    sequences: BTreeMap<SequenceId, Sequence>,
    free: Vec<i32>,
    next: u64,
    /// A number that no other cache of the process has.
    number: u64,
    /// A number that changes when places are given or taken back.
    generation: u64,
}

/// New tokens of some sequences, and their places in a [`PagedCache`]. It is of use until the sequences grow further or end.
#[derive(Debug)]
pub struct PagedStep {
    /// The number of tokens of the step up to the end of each sequence, and of all tokens of the sequence.
    ends: Vec<i64>,
    lengths: Vec<i64>,
    slots: Tensor,
    table: Tensor,
    positions: Tensor,
    /// Whether a query comes before a key of its sequence.
    hides: bool,
    /// The number and the generation of the cache that gave the places.
    of: [u64; 2],
}

impl PagedStep {
    /// Returns how many new tokens there are.
    #[inline]
    pub fn tokens(&self) -> usize {
        self.positions.numel()
    }

    /// Returns the places of the new tokens in their sequences, `[tokens]` of i64, as rotary embeddings need them.
    #[inline]
    pub fn positions(&self) -> &Tensor {
        &self.positions
    }

    /// Returns the index of the last token of each sequence among the new tokens.
    #[inline]
    pub fn last_tokens(&self) -> impl Iterator<Item = i64> + '_ {
        self.ends.iter().map(|end| end - 1)
    }
}

impl PagedCache {
    /// Allocates the memory of a cache, for keys and values of f16 or bf16.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for sizes that no operator takes; [`OutOfMemory`](crate::Error::OutOfMemory).
    pub fn new(on: impl Into<Stream>, dtype: DType, sizes: PagedSizes) -> Result<PagedCache> {
        let stream = on.into();
        let PagedSizes { layers, blocks, block_size, heads, elements } = sizes;
        let operation = Operation::new("PagedCache", &stream);
        let is_known = block_size.is_multiple_of(16) && (16..=128).contains(&block_size);
        let slots = blocks.checked_mul(block_size).and_then(|slots| i32::try_from(slots).ok());
        if !is_known || slots.is_none() || heads == 0 || elements == 0 {
            return Err(operation.refused(format!(
                "{sizes:?}: blocks have a multiple of 16 tokens up to 128, heads and elements, and slots have numbers of i32"
            )));
        }
        if !matches!(dtype, DType::F16 | DType::BF16) {
            return Err(operation.refused(format!("keys and values are f16 or bf16, and not {dtype}")));
        }
        // Zeros, for what the end of a block holds.
        let make = || Tensor::zeros(&stream, [blocks, block_size, heads, elements], dtype);
        let layers = (0..layers).map(|_| Ok([make()?, make()?])).collect::<Result<_>>()?;
        let mut behind = Tensor::ones(&stream, [MASK, MASK], DType::Bool)?;
        behind.triu_in_place(1)?;
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // The first blocks are given first.
        let free = (0..blocks as i32).rev().collect();
        let stream = stream.clone();
        Ok(PagedCache {
            sizes,
            dtype,
            stream,
            layers,
            behind,
            sequences: BTreeMap::new(),
            free,
            next: 0,
            number,
            generation: 0,
        })
    }

    /// Returns the sizes that the cache was made with.
    #[inline]
    pub fn sizes(&self) -> PagedSizes {
        self.sizes
    }

    /// Returns how many blocks belong to no sequence.
    #[inline]
    pub fn free_blocks(&self) -> usize {
        self.free.len()
    }

    /// Adds a sequence without tokens.
    #[inline]
    pub fn add(&mut self) -> SequenceId {
        let id = SequenceId { cache: self.number, number: self.next };
        self.next += 1;
        self.sequences.insert(id, Sequence::default());
        id
    }

    /// Ends a sequence: its blocks go to others. Returns whether there was one.
    #[inline]
    pub fn remove(&mut self, id: SequenceId) -> bool {
        let removed = self.sequences.remove(&id);
        self.generation += u64::from(removed.is_some());
        removed.map(|sequence| self.free.extend(sequence.blocks.into_iter().rev())).is_some()
    }

    /// Returns how many tokens a sequence has, or `None` if it has ended.
    #[inline]
    pub fn tokens(&self, id: SequenceId) -> Option<usize> {
        self.sequences.get(&id).map(|sequence| sequence.tokens)
    }

    /// Returns how many blocks a sequence needs beside those it has, to grow by some tokens.
    #[inline]
    fn needs(&self, id: SequenceId, tokens: usize) -> Option<usize> {
        let sequence = self.sequences.get(&id)?;
        let blocks = sequence.tokens.checked_add(tokens)?.div_ceil(self.sizes.block_size);
        Some(blocks.saturating_sub(sequence.blocks.len()))
    }

    /// Lets sequences grow by some tokens each, at least one, and finds places for them. The new tokens of a step are one behind
    /// the other, in the order given here.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if a sequence has ended or stands here twice, or if there are too few blocks;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the copies of places to the device returned. No sequence grows then.
    #[inline]
    pub fn extend(&mut self, new: &[(SequenceId, usize)]) -> Result<PagedStep> {
        let operation = Operation::new("PagedCache::extend", &self.stream);
        let mut needed = 0_usize;
        for (place, (id, tokens)) in new.iter().enumerate() {
            let is_twice = new.iter().take(place).any(|(other, _)| other == id);
            let blocks = self.needs(*id, *tokens).filter(|_| !is_twice && *tokens > 0);
            let refusal = || {
                let reason =
                    format!("{id:?} with {tokens} tokens has ended, stands here twice, or has no new token");
                operation.refused(reason)
            };
            needed = needed.saturating_add(blocks.ok_or_else(refusal)?);
        }
        if new.is_empty() {
            return Err(operation.refused("a step has at least one sequence".to_owned()));
        }
        if needed > self.free.len() {
            let free = self.free.len();
            return Err(operation.refused(format!(
                "{needed} more blocks are needed, and {free} are free: end a sequence, or let some wait"
            )));
        }
        let (size, mut ends, mut lengths) = (self.sizes.block_size, Vec::new(), Vec::new());
        let (mut slots, mut positions, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        // Nothing of the cache changes before all is there.
        let mut unused = self.free.iter().rev();
        for (id, tokens) in new {
            let Some(Sequence { blocks, tokens: first }) = self.sequences.get(id) else { continue };
            let length = first + tokens;
            let mut table = blocks.clone();
            table.extend(unused.by_ref().take(length.div_ceil(size).saturating_sub(blocks.len())));
            for position in *first..length {
                let block = table.get(position / size).copied().unwrap_or(0);
                slots.push(block.saturating_mul(size as i32).saturating_add((position % size) as i32));
                positions.push(position as i64);
            }
            ends.push(slots.len() as i64);
            lengths.push(length as i64);
            tables.push(table);
        }
        let most = tables.iter().map(Vec::len).max().unwrap_or(0);
        let padded = tables.iter().flat_map(|table| (0..most).map(|at| table.get(at).copied().unwrap_or(0)));
        let (on, table) = (&self.stream, padded.collect::<Vec<i32>>());
        let step = PagedStep {
            slots: Tensor::from_slice(on, &slots, [slots.len()])?,
            positions: Tensor::from_slice(on, &positions, [positions.len()])?,
            table: Tensor::from_slice(on, &table, [ends.len(), most])?,
            hides: new.iter().any(|(_, tokens)| *tokens > 1),
            of: [self.number, self.generation + 1],
            ends,
            lengths,
        };
        self.free.truncate(self.free.len().saturating_sub(needed));
        self.generation += 1;
        for ((id, tokens), blocks) in new.iter().zip(tables) {
            if let Some(sequence) = self.sequences.get_mut(id) {
                sequence.tokens += tokens;
                sequence.blocks = blocks;
            }
        }
        Ok(step)
    }

    /// Checks what a layer is given for the tokens of a step.
    #[inline]
    fn layer<'o>(
        &'o self,
        operation: &Operation<'o>,
        layer: usize,
        given: &[(&str, &Tensor)],
        step: &PagedStep,
    ) -> Result<&'o [Tensor; 2]> {
        operation.placed()?;
        if step.of != [self.number, self.generation] {
            let reason = "the step is of another cache, or sequences have grown or ended since it was made";
            return Err(operation.refused(reason.to_owned()));
        }
        for (name, tensor) in given {
            if tensor.dtype() != self.dtype || tensor.shape().first() != Some(&step.tokens()) {
                return Err(operation.refused(format!(
                    "{name} must be {} of {} tokens, and is {} of shape {}",
                    self.dtype,
                    step.tokens(),
                    tensor.dtype(),
                    tensor.shape()
                )));
            }
        }
        let missing = || operation.refused(format!("the cache has no layer {layer}"));
        self.layers.get(layer).ok_or_else(missing)
    }

    /// Writes the keys and values of the tokens of a step, `[tokens, heads, elements]` each, into a layer.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Unsupported`](crate::Error::Unsupported) and [`Devices`](crate::Error::Devices) before anything is
    /// launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnScatterPaKvCache")]
    #[inline]
    pub fn write(&mut self, layer: usize, key: &Tensor, value: &Tensor, step: &PagedStep) -> Result<()> {
        let operation =
            Operation::new("PagedCache::write", &self.stream).tensor("key", key).tensor("value", value);
        let [keys, values] = self.layer(&operation, layer, &[("key", key), ("value", value)], step)?;
        operation.takes("ScatterPaKvCache", signatures::write_to_cache.takes, self.dtype)?;
        let wanted = [step.tokens(), self.sizes.heads, self.sizes.elements];
        if key.dims() != wanted || value.dims() != wanted {
            return Err(operation.refused(format!("key and value must have the shape {wanted:?}")));
        }
        launch::ScatterPaKvCache(
            operation.stream.into(),
            key,
            keys,
            &step.slots,
            Some(value),
            Some(values),
            None,
            None,
            None,
            c"Norm",
            c"None",
            None,
            None,
        )
    }

    /// Returns the keys and values of all tokens of a sequence in a layer, `[tokens, heads, elements]` each. Those of tokens that
    /// were not [written](PagedCache::write) yet are not defined.
    ///
    /// # Errors
    /// As [`PagedCache::write`].
    #[doc(alias = "aclnnGatherPaKvCache")]
    #[inline]
    pub fn read(&self, layer: usize, id: SequenceId) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("PagedCache::read", &self.stream);
        operation.takes("GatherPaKvCache", signatures::read_from_cache.takes, self.dtype)?;
        let (Some([keys, values]), Some(sequence)) = (self.layers.get(layer), self.sequences.get(&id)) else {
            return Err(operation.refused(format!("the cache has no layer {layer}, or {id:?} has ended")));
        };
        let shape = [sequence.tokens, self.sizes.heads, self.sizes.elements];
        let (key, value) = (operation.empty(shape, self.dtype)?, operation.empty(shape, self.dtype)?);
        if sequence.tokens > 0 {
            let (on, blocks) = (&self.stream, &sequence.blocks);
            let table = Tensor::from_slice(on, blocks, [1, blocks.len()])?;
            let lengths = Tensor::from_slice(on, &[sequence.tokens as i32], [1])?;
            launch::GatherPaKvCache(
                on.into(),
                keys,
                values,
                &table,
                &lengths,
                &key,
                &value,
                None,
                c"Norm",
                false,
            )?;
        }
        Ok((key, value))
    }

    /// Returns the result of attention of a layer for the queries of a step, `[tokens, heads, elements]`: each sees the tokens of
    /// its sequence up to its own. Queries have as many heads as keys, or a multiple, of which as many share a head of keys.
    ///
    /// `scale` is the factor of the products of queries and keys; `None` is one over the square root of `elements`. The keys and
    /// values of the step have to be [written](PagedCache::write) before.
    ///
    /// # Errors
    /// As [`PagedCache::write`].
    #[doc(alias = "aclnnFusedInferAttentionScoreV2")]
    #[inline]
    pub fn attention(
        &self,
        layer: usize,
        query: &Tensor,
        scale: Option<f64>,
        step: &PagedStep,
    ) -> Result<Tensor> {
        let PagedSizes { blocks, block_size, heads, elements, .. } = self.sizes;
        let operation = Operation::new("PagedCache::attention", &self.stream).tensor("query", query);
        let cache = self.layer(&operation, layer, &[("query", query)], step)?;
        operation.takes("FusedInferAttentionScoreV2", signatures::infer_attention.takes, self.dtype)?;
        let of_query = match *query.dims() {
            [_, of_query, size] if size == elements && of_query > 0 && of_query.is_multiple_of(heads) => {
                of_query
            }
            _ => {
                return Err(operation.refused(format!(
                    "query must have three axes, of which the second is a multiple of {heads} heads, and the third has \
                     {elements} elements"
                )));
            }
        };
        // The library tells heads and elements of keys apart by the query.
        let [key, value] = cache.each_ref().map(|part| part.reshape([blocks, block_size, heads * elements]));
        let (key, value) = (key?, value?);
        let out = operation.empty(query.shape().clone(), self.dtype)?;
        let inference = Inference {
            operands: [query, &key, &value],
            bias: None,
            mask: step.hides.then_some(&self.behind),
            lengths: [Some(&step.ends), Some(&step.lengths)],
            table: Some((&step.table, block_size)),
            heads: [of_query, heads],
            scale: scale.unwrap_or(1.0 / (elements as f64).sqrt()),
            layout: c"TND",
            sparse_mode: if step.hides { CAUSAL_FROM_THE_END } else { 0 },
            inner_precise: 0,
            out: &out,
            log_sum: None,
            wants_log_sum: false,
        };
        inference.launch(&operation)?;
        Ok(out)
    }
}
