//! Why an operator that is declared cannot be called.

/// Operators without a function in the safe layer, and the function that does their work.
const REFUSED: &[(&str, &str)] = &[
    ("AddV3", "add, with the operands exchanged"),
    ("AddmmWeightNz", "addmm"),
    ("AmpUpdateScale", "mul_in_place, of the scale"),
    ("ApplyAdamW", "aclnn::ops::adam_w, which takes numbers"),
    ("ApplyFusedEmaAdam", "aclnn::ops::adam_w, and lerp_in_place for the mean"),
    ("BatchMatMulWeightNz", "matmul"),
    ("Bernoulli", "bernoulli_in_place"),
    ("BitwiseAndTensorOut", "bitwise_and"),
    ("Dropout", "dropout"),
    ("DropoutGenMask", "dropout_mask"),
    ("DropoutGenMaskV2Tensor", "dropout_mask"),
    ("DropoutV3", "dropout"),
    ("DropoutV3Grad", "dropout_backward"),
    ("FusedMatmul", "matmul, and the activation of its result"),
    ("FusedAdamw", "aclnn::ops::adam_w, of each parameter"),
    ("FusedSgd", "aclnn::ops::foreach::add, of the gradients"),
    ("GatherV3", "take_axis, for no axes that belong together"),
    ("Gemm", "addmm, of transposed views"),
    ("GroupedMatmul", "grouped_matmul"),
    ("GroupedMatmulV2", "grouped_matmul"),
    ("GroupedMatmulV4", "grouped_matmul"),
    ("GroupedMatmulV5", "grouped_matmul"),
    ("IndexAddV2", "index_add"),
    ("InplaceAddV3", "add_in_place, with the operands exchanged"),
    ("InplaceAddbmm", "addbmm"),
    ("InplaceAddmm", "addmm"),
    ("InplaceAddr", "addr"),
    ("InplaceBaddbmm", "baddbmm"),
    ("InplaceBitwiseAndTensorOut", "bitwise_and_in_place"),
    ("InplaceNormalTensor", "normal_in_place, with a seed on the host"),
    ("InplaceOne", "ones"),
    ("InplaceRandomTensor", "random_in_place, with a seed on the host"),
    ("InplaceRandomWithoutFromTo", "random_in_place, of the range of a type"),
    ("InplaceRandomWithoutFromToTensor", "random_in_place, with a seed on the host"),
    ("InplaceUniformTensor", "uniform_in_place, with a seed on the host"),
    ("InplaceZero", "zeros"),
    ("LogSigmoidForward", "log_sigmoid"),
    ("LogSpace", "linspace, and rpow of it"),
    ("MatmulWeightNz", "matmul"),
    ("MultinomialTensor", "multinomial, with a seed on the host"),
    ("OneHot", "scatter_value, of zeros"),
    ("Polar", "complex, of products with cos and sin"),
    ("QuantMatmulV3", "quant_matmul"),
    ("QuantMatmulV5", "quant_matmul"),
    ("TfScatterAdd", "index_add"),
    ("TransMatmulWeight", "matmul, which takes a weight as it is"),
    ("TransQuantParamV2", "quant_matmul, which takes scales of f32"),
    ("TransQuantParamV3", "quant_matmul, which takes scales of f32"),
    ("WeightQuantBatchMatmulV3", "weight_quant_matmul"),
];

/// Returns the reason why an operator cannot be called, by its C name without the prefix.
pub(crate) fn reason(form: &str) -> Option<String> {
    if form.starts_with("Foreach") {
        return Some(format!("aclnn{form} changes lists of tensors, which the command does not take"));
    }
    if form == "ApplyAdamWV2" {
        return Some(format!("aclnn{form} changes several tensors, of which the command writes one"));
    }
    let (_, instead) = REFUSED.iter().find(|(refused, _)| *refused == form)?;
    Some(format!("the safe layer has no function for aclnn{form}; there is {instead}"))
}
