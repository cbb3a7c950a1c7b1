//! Why an operator that is declared cannot be called.

/// Operators without a function in the safe layer, and the function that does their work.
const REFUSED: &[(&str, &str)] = &[
    ("AddV3", "add, with the operands exchanged"),
    ("GatherV3", "take_axis, for no axes that belong together"),
    ("IndexAddV2", "index_add"),
    ("InplaceAddV3", "add_in_place, with the operands exchanged"),
    ("InplaceOne", "ones"),
    ("InplaceZero", "zeros"),
    ("LogSigmoidForward", "log_sigmoid"),
];

/// Returns the reason why an operator cannot be called, by its C name without the prefix.
pub(crate) fn reason(form: &str) -> Option<String> {
    let (_, instead) = REFUSED.iter().find(|(refused, _)| *refused == form)?;
    Some(format!("the safe layer has no function for aclnn{form}; there is {instead}"))
}
