//! Operators of strings, which the host runs.

mod ngrams;
mod normalize;
mod split;
mod texts;

use regex_lite::Regex;

use texts::{ON_HOST, strings};

use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::broadcast_places;
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("StringConcat", 20, concat),
    Operator::node("StringNormalizer", 10, normalize::normalizer),
    Operator::node("StringSplit", 20, split::split),
    Operator::node("RegexFullMatch", 20, regex),
    Operator::node("TfIdfVectorizer", 9, ngrams::vectorizer),
];

fn concat(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::host(ON_HOST, |call| {
        let (left, right) = (call.array(0)?, call.array(1)?);
        let Ok(shape) = aclnn_numerics::layout::broadcast(left.shape(), right.shape()) else {
            return Reason::text(format!("{left:?} and {right:?} do not broadcast"));
        };
        let [first, second] = [&left, &right].map(|array| -> NodeResult<Vec<&String>> {
            let strings = strings(array)?;
            Ok(broadcast_places(array, &shape)?.into_iter().filter_map(|place| strings.get(place)).collect())
        });
        let joined: Vec<String> = first?.into_iter().zip(second?).map(|(a, b)| format!("{a}{b}")).collect();
        Ok(Array::from_strings(joined, shape)?)
    }))
}

fn regex(node: &Node) -> NodeResult<Prepared> {
    let Some(pattern) = node.attributes.text("pattern")? else {
        return Reason::text("its attribute `pattern` is missing");
    };
    let regex = match Regex::new(&format!(r"\A(?:{pattern})\z")) {
        Ok(regex) => regex,
        Err(error) => return Reason::missing(format!("its pattern `{pattern}`: {error}")),
    };
    Ok(Prepared::host(ON_HOST, move |call: &Call<'_>| {
        let array = call.array(0)?;
        let matches: Vec<bool> = strings(&array)?.iter().map(|text| regex.is_match(text)).collect();
        Ok(Array::from_slice(&matches, array.shape().clone())?)
    }))
}
