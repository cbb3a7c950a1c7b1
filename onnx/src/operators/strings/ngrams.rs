//! TfIdfVectorizer: how often runs of elements occur.

use std::collections::HashMap;
use std::hash::Hash;

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

/// The weight of a run that occurs.
#[derive(Clone, Copy)]
enum Mode {
    Count,
    Weight,
    Both,
}

/// The runs that are counted, with the place and the weight of each.
struct Pool<T> {
    runs: HashMap<Vec<T>, (usize, f32)>,
    least: usize,
    most: usize,
    skips: usize,
    mode: Mode,
    width: usize,
}

impl<T: Eq + Hash + Clone> Pool<T> {
    fn new(node: &Node, pool: &[T]) -> NodeResult<Pool<T>> {
        let size = |name: &str| -> NodeResult<usize> {
            let number = node.required_int(name)?;
            Ok(usize::try_from(number).map_err(|_| format!("its `{name}` is {number}"))?)
        };
        let (least, most) = (size("min_gram_length")?, size("max_gram_length")?);
        let skips = size("max_skip_count")?;
        let wrong = || "its pool, its counts and its indices do not fit".to_owned();
        let (Some(starts), Some(places)) = (node.ints("ngram_counts")?, node.ints("ngram_indexes")?) else {
            return Reason::text(wrong());
        };
        let places: Vec<usize> = places
            .iter()
            .map(|&place| usize::try_from(place).ok().filter(|place| *place < 1 << 32))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        let weights = node.attributes.floats("weights")?;
        let mode = match node.text("mode", "TF")?.as_str() {
            "TF" => Mode::Count,
            "IDF" => Mode::Weight,
            "TFIDF" => Mode::Both,
            other => return Reason::text(format!("its mode is `{other}`")),
        };
        let mut runs = HashMap::new();
        let mut number = 0;
        for (length, &start) in (1..).zip(&starts) {
            let end = starts.get(length).map_or(pool.len(), |&end| end.max(0) as usize);
            let part = pool.get(start.max(0) as usize..end).ok_or_else(wrong)?;
            for run in part.chunks(length) {
                let place = *places.get(number).ok_or_else(wrong)?;
                let weight = weights.and_then(|weights| weights.get(number)).copied().unwrap_or(1.0);
                runs.insert(run.to_vec(), (place, weight));
                number += 1;
            }
        }
        let width = places.iter().max().map_or(0, |most| most + 1);
        match least >= 1 && least <= most {
            true => Ok(Pool { runs, least, most, skips, mode, width }),
            false => Reason::text(format!("its runs have lengths from {least} to {most}")),
        }
    }

    /// Counts the runs in a row.
    fn count(&self, row: &[T], counts: &mut [f32]) {
        for step in 1..=self.skips.min(row.len()) + 1 {
            for start in 0..row.len() {
                // Single elements are the same with every step.
                let least = if step > 1 { self.least.max(2) } else { self.least };
                let mut run = Vec::new();
                for element in row.iter().skip(start).step_by(step).take(self.most) {
                    run.push(element.clone());
                    if run.len() >= least
                        && let Some(&(place, weight)) = self.runs.get(&run)
                        && let Some(count) = counts.get_mut(place)
                    {
                        match self.mode {
                            Mode::Count => *count += 1.0,
                            Mode::Weight => *count = weight,
                            Mode::Both => *count += weight,
                        }
                    }
                }
            }
        }
    }

    fn counted(&self, array: &Array, elements: &[T]) -> NodeResult<Array> {
        let (rows, length) = match array.dims() {
            [length] => (1, *length),
            [rows, length] => (*rows, *length),
            _ => return Reason::text(format!("it takes one row or several, not {array:?}")),
        };
        let mut counts = vec![0.0; rows * self.width];
        if length > 0 && self.width > 0 {
            for (row, counts) in elements.chunks(length).zip(counts.chunks_mut(self.width)) {
                self.count(row, counts);
            }
        }
        let mut dims = array.dims().to_vec();
        if let Some(last) = dims.last_mut() {
            *last = self.width;
        }
        Ok(Array::from_slice(&counts, dims)?)
    }
}

pub(super) fn vectorizer(node: &Node) -> NodeResult<Prepared> {
    const BECAUSE: &str = "runs are looked up on the host";
    match (node.attributes.texts("pool_strings")?, node.ints("pool_int64s")?) {
        (Some(texts), None) => {
            let pool = Pool::new(node, &texts)?;
            Ok(Prepared::host(BECAUSE, move |call| {
                let array = call.array(0)?;
                pool.counted(&array, super::texts::strings(&array)?)
            }))
        }
        (None, Some(numbers)) => {
            let pool = Pool::new(node, &numbers)?;
            Ok(Prepared::host(BECAUSE, move |call| {
                let array = call.array(0)?;
                pool.counted(&array, &array.to_i64s()?)
            }))
        }
        _ => Reason::text("it needs a pool of strings or one of integers"),
    }
}
