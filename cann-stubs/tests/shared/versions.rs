//! Newer versions of operators, called as the older ones are. A program takes the newest version that a library exports, so
//! what an older one computes the newer one has to compute as well, with the same results.

use aclnn_sys::operators;

use crate::support::cases::{Argument, Case, Layout, golden_cases};
use crate::support::device;

/// Older and newer versions that have the same parameters, and some more: those of [`neutral`].
const VERSIONS: &[[&str; 2]] = &[
    ["ApplyRotaryPosEmb", "ApplyRotaryPosEmbV2"],
    ["FlashAttentionScore", "FlashAttentionScoreV2"],
    ["FlashAttentionScoreV2", "FlashAttentionScoreV3"],
    ["FlashAttentionScoreGrad", "FlashAttentionScoreGradV2"],
    ["FlashAttentionScoreGradV2", "FlashAttentionScoreGradV3"],
    ["FlashAttentionVarLenScore", "FlashAttentionVarLenScoreV2"],
    ["FlashAttentionVarLenScore", "FlashAttentionVarLenScoreV4"],
    ["FlashAttentionVarLenScoreV2", "FlashAttentionVarLenScoreV5"],
    ["FlashAttentionVarLenScoreV4", "FlashAttentionVarLenScoreV5"],
    ["FlashAttentionUnpaddingScoreGrad", "FlashAttentionUnpaddingScoreGradV2"],
    ["FusedInferAttentionScore", "FusedInferAttentionScoreV2"],
    ["FusedInferAttentionScoreV2", "FusedInferAttentionScoreV3"],
    ["FusedInferAttentionScoreV3", "FusedInferAttentionScoreV4"],
    ["GeGlu", "GeGluV3"],
    ["GroupNormSilu", "GroupNormSiluV2"],
    ["GroupedMatmulV4", "GroupedMatmulV5"],
    ["IncreFlashAttention", "IncreFlashAttentionV2"],
    ["IncreFlashAttentionV2", "IncreFlashAttentionV3"],
    ["IncreFlashAttentionV3", "IncreFlashAttentionV4"],
    ["PromptFlashAttention", "PromptFlashAttentionV2"],
    ["PromptFlashAttentionV2", "PromptFlashAttentionV3"],
    ["QuantMatmulV3", "QuantMatmulV4"],
    ["RotaryPositionEmbedding", "RotaryPositionEmbeddingV2"],
    ["TransQuantParamV2", "TransQuantParamV3"],
    ["UpsampleBilinear2dBackward", "UpsampleBilinear2dBackwardV2"],
    ["UpsampleNearest1d", "UpsampleNearest1dV2"],
    ["UpsampleNearest2d", "UpsampleNearest2dV2"],
    ["WeightQuantBatchMatmulV2", "WeightQuantBatchMatmulV3"],
];

/// The value of a parameter of the newer version alone that stands for the older one, by CANN's description.
fn neutral(parameter: &str) -> Argument {
    match parameter {
        "activateLeft" => Argument::Bool(false),
        "activateSilu" => Argument::Bool(true),
        "innerPrecise" | "pseType" => Argument::Int(1),
        "blockSize" | "keyAntiquantMode" | "queryQuantMode" | "roundMode" | "sparseMode"
        | "valueAntiquantMode" => Argument::Int(0),
        "rotaryMode" => Argument::Text(c"half".to_owned()),
        "scaleL" | "scalesH" | "scalesW" => Argument::Float(0.0),
        "softmaxOutLayout" => Argument::Text(c"".to_owned()),
        _ => Argument::Null,
    }
}

/// Names differ in that some versions say of an operand that it is optional.
fn names(operator: &str) -> Vec<&'static str> {
    let info = operators::named(operator).expect("a declared operator");
    info.parameters.iter().map(|parameter| parameter.name.trim_end_matches("Optional")).collect()
}

/// A case of the older version as a call of the newer one.
fn as_newer(case: &Case, newer: &str) -> Case {
    let (before, now) = (names(&case.operator), names(newer));
    assert!(before.iter().all(|name| now.contains(name)), "{newer} lacks one of {before:?}");
    let place = |number: usize| now.iter().position(|name| *name == before[number]).unwrap();
    let argument = |name: &&str| match before.iter().position(|own| own == name) {
        Some(number) => match &case.arguments[number] {
            Argument::Same(other) => Argument::Same(place(*other)),
            argument => argument.clone(),
        },
        None => neutral(name),
    };
    let arguments = now.iter().map(argument).collect();
    Case { operator: newer.to_owned(), product: case.product.clone(), code: 0, arguments }
}

#[test]
fn newer_versions_give_what_the_older_ones_give() {
    device();
    let is_older = |case: &Case| VERSIONS.iter().any(|[older, _]| *older == case.operator);
    let cases: Vec<Case> = golden_cases().filter(is_older).collect();
    let mut failed = Vec::new();
    for [older, newer] in VERSIONS {
        let of_older: Vec<&Case> = cases.iter().filter(|case| case.operator == *older).collect();
        assert!(!of_older.is_empty(), "no case of {older}");
        let checked = of_older.into_iter().map(|case| as_newer(case, newer).check(Layout::Contiguous));
        failed.extend(checked.filter_map(Result::err));
    }
    let some = failed[..failed.len().min(20)].join(
        "
",
    );
    assert!(
        failed.is_empty(),
        "{} calls differ, among them:
{some}",
        failed.len()
    );
}
