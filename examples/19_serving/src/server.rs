//! Continuous batching: requests begin and end at any step, and each step computes one token more of all that run.

use std::collections::VecDeque;

use aclnn::Result;
use aclnn::ops::{PagedCache, SequenceId};

use crate::model::Decoder;

/// A prompt, and how many tokens shall follow.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) prompt: Vec<i64>,
    pub(crate) following: usize,
}

/// A request that runs.
struct Running {
    /// Its place among the requests.
    number: usize,
    id: SequenceId,
    tokens: Vec<i64>,
    /// The tokens that the next step computes: the prompt, and then one at a time.
    new: Vec<i64>,
    length: usize,
}

/// The results of a server, and how it got there.
#[derive(Debug, Default)]
pub(crate) struct Served {
    /// The tokens of each request, its prompt first.
    pub(crate) texts: Vec<Vec<i64>>,
    pub(crate) steps: usize,
    /// The most requests of a step, and the most blocks that were taken.
    pub(crate) most_running: usize,
    pub(crate) most_blocks: usize,
}

/// Serves requests in their order, at most `batch` at once, as far as the blocks of the cache go.
pub(crate) fn serve(decoder: &Decoder, requests: &[Request], batch: usize, blocks: usize) -> Result<Served> {
    let mut cache = decoder.cache(blocks)?;
    let mut waiting: VecDeque<usize> = (0..requests.len()).collect();
    let mut running: Vec<Running> = Vec::new();
    let mut served = Served { texts: vec![Vec::new(); requests.len()], ..Served::default() };
    // The blocks that running requests may still take.
    let mut promised = 0;
    while !waiting.is_empty() || !running.is_empty() {
        while let Some(number) = waiting.front().copied().filter(|_| running.len() < batch) {
            let Request { prompt, following } = &requests[number];
            let length = prompt.len() + following;
            if promised + blocks_of(&cache, length) > blocks {
                break;
            }
            promised += blocks_of(&cache, length);
            waiting.pop_front();
            let (id, new) = (cache.add(), prompt.clone());
            running.push(Running { number, id, tokens: new.clone(), new, length });
        }
        let parts: Vec<_> = running.iter().map(|one| (one.id, one.new.len())).collect();
        let tokens: Vec<i64> = running.iter().flat_map(|one| one.new.iter().copied()).collect();
        let step = cache.extend(&parts)?;
        let next = decoder.step(&mut cache, &step, &tokens)?;
        served.steps += 1;
        served.most_running = served.most_running.max(running.len());
        served.most_blocks = served.most_blocks.max(blocks - cache.free_blocks());
        for (one, token) in running.iter_mut().zip(next) {
            one.tokens.push(token);
            one.new = vec![token];
        }
        for one in running.extract_if(.., |one| one.tokens.len() >= one.length) {
            cache.remove(one.id);
            promised -= blocks_of(&cache, one.length);
            served.texts[one.number] = one.tokens;
        }
    }
    Ok(served)
}

/// The blocks of a sequence of so many tokens.
fn blocks_of(cache: &PagedCache, tokens: usize) -> usize {
    tokens.div_ceil(cache.sizes().block_size)
}
