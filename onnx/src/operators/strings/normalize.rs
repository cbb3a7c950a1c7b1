//! StringNormalizer: strings without some words, in upper or lower case.

use super::texts::{ON_HOST, strings};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

pub(super) fn normalizer(node: &Node) -> NodeResult<Prepared> {
    // Letters change case as Unicode says, whatever the place.
    node.ignore(&["locale"]);
    let by_case = node.flag("is_case_sensitive", false)?;
    let change: fn(&str) -> String = match node.text("case_change_action", "NONE")?.as_str() {
        "NONE" => str::to_owned,
        "LOWER" => str::to_lowercase,
        "UPPER" => str::to_uppercase,
        other => return Reason::text(format!("its `case_change_action` is `{other}`")),
    };
    let compared: fn(&str) -> String = if by_case { str::to_owned } else { str::to_lowercase };
    let stops: Vec<String> =
        node.attributes.texts("stopwords")?.unwrap_or_default().iter().map(|word| compared(word)).collect();
    Ok(Prepared::host(ON_HOST, move |call| {
        let array = call.array(0)?;
        if !matches!(array.dims(), [_] | [1, _]) {
            return Reason::text(format!("it takes a line of strings, not {array:?}"));
        }
        let kept = strings(&array)?.iter().filter(|text| !stops.contains(&compared(text)));
        let mut kept: Vec<String> = kept.map(|text| change(text)).collect();
        if kept.is_empty() {
            kept.push(String::new());
        }
        let mut dims = array.dims().to_vec();
        if let Some(last) = dims.last_mut() {
            *last = kept.len();
        }
        Ok(Array::from_strings(kept, dims)?)
    }))
}
