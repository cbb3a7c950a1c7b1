//! Why an operator that is declared cannot be called.

/// Operators without a function in the safe layer, and the function that does their work.
const REFUSED: &[(&str, &str)] = &[
    ("AddmmWeightNz", "addmm"),
    ("AddV3", "add, with the operands exchanged"),
    ("BatchMatMulWeightNz", "matmul"),
    ("BitwiseAndTensorOut", "bitwise_and"),
    ("GatherV3", "take_axis, for no axes that belong together"),
    ("Gemm", "addmm, of transposed views"),
    ("IndexAddV2", "index_add"),
    ("InplaceAddV3", "add_in_place, with the operands exchanged"),
    ("InplaceAddbmm", "addbmm"),
    ("InplaceAddmm", "addmm"),
    ("InplaceAddr", "addr"),
    ("InplaceBaddbmm", "baddbmm"),
    ("InplaceBitwiseAndTensorOut", "bitwise_and_in_place"),
    ("InplaceOne", "ones"),
    ("InplaceZero", "zeros"),
    ("LogSigmoidForward", "log_sigmoid"),
    ("LogSpace", "linspace, and rpow of it"),
    ("MatmulWeightNz", "matmul"),
    ("MseLossOut", "mse_loss of each element, and mean or sum along the first axis"),
    ("OneHot", "scatter_value, of zeros"),
    ("Polar", "complex, of products with cos and sin"),
    ("TfScatterAdd", "index_add"),
    ("TransMatmulWeight", "matmul, which takes a weight as it is"),
];

/// Returns the reason why an operator cannot be called, by its C name without the prefix.
pub(crate) fn reason(form: &str) -> Option<String> {
    let (_, instead) = REFUSED.iter().find(|(refused, _)| *refused == form)?;
    Some(format!("the safe layer has no function for aclnn{form}; there is {instead}"))
}
