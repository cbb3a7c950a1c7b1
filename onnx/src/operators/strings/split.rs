//! StringSplit: the parts of each string.

use super::texts::{ON_HOST, strings};
use crate::array::Array;
use crate::error::NodeResult;
use crate::graph::Node;
use crate::run::Prepared;

pub(super) fn split(node: &Node) -> NodeResult<Prepared> {
    let delimiter = node.text("delimiter", "")?;
    let most = node.attributes.int("maxsplit")?.and_then(|most| usize::try_from(most).ok());
    Ok(Prepared::host(ON_HOST, move |call| {
        let array = call.array(0)?;
        let parts = strings(&array)?.iter().map(|text| match delimiter.as_str() {
            "" => by_spaces(text, most),
            delimiter => match most {
                Some(most) => text.splitn(most.saturating_add(1), delimiter).collect(),
                None => text.split(delimiter).collect(),
            },
        });
        let parts: Vec<Vec<&str>> = parts.collect();
        let width = parts.iter().map(Vec::len).max().unwrap_or(0);
        let counts: Vec<i64> = parts.iter().map(|parts| parts.len() as i64).collect();
        let filled = parts.iter().flat_map(|parts| {
            let missing = width - parts.len();
            parts.iter().copied().chain(std::iter::repeat_n("", missing)).map(str::to_owned)
        });
        let mut dims = array.dims().to_vec();
        dims.push(width);
        let filled = Array::from_strings(filled.collect::<Vec<_>>(), dims)?;
        Ok((filled, Array::from_slice(&counts, array.shape().clone())?))
    }))
}

/// Splits where there are spaces, at most so many times.
fn by_spaces(text: &str, most: Option<usize>) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if most.is_some_and(|most| parts.len() >= most) {
            parts.push(rest);
            break;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (part, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        parts.push(part);
        rest = behind.trim_start();
    }
    parts
}
