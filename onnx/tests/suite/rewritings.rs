//! Rewritings: models of PyTorch and patterns that were written by hand compute the same with all of them, with none, and
//! without each one. The plan tells which operators of the device a pattern became.
//!
//! PyTorch computed the outputs of its models, the reference evaluator of onnx those of the patterns.

use std::collections::BTreeSet;

use aclnn_onnx::{Options, Placement, PlannedNode, Rewriting};

use crate::support::{Example, MODELS, device, launched, plain};

/// The operators that a rewriting makes, and its name.
const FUSED: &[(&str, &str)] = &[
    ("aclnnFlashAttentionScore", "attention"),
    ("aclnnRotaryPositionEmbedding", "rotary"),
    ("aclnnRmsNorm", "rms-norm"),
    ("aclnnLayerNorm", "layer-norm"),
    ("aclnnGelu", "gelu"),
    ("aclnnSilu", "gelu"),
    ("aclnnAddmm", "linear"),
];

/// Returns which of the operators that a rewriting may make are among some operators.
fn fused(operators: &[&str]) -> BTreeSet<&'static str> {
    let found =
        FUSED.iter().filter(|(start, _)| operators.iter().any(|operator| operator.starts_with(start)));
    found.map(|(start, _)| *start).collect()
}

#[test]
fn every_combination_computes_the_same() {
    let device = device();
    let examples = Example::all(MODELS, |_| true);
    assert_eq!(examples.len(), 119);
    let mut wrong = Vec::new();
    for example in &examples {
        let each = Rewriting::ALL.iter().map(|rewriting| rewriting.name());
        let each = each.map(|name| (format!("without {name}"), Options::default().without(name)));
        let both = [("with all".to_owned(), Options::default()), ("with none".to_owned(), plain())];
        for (what, options) in both.into_iter().chain(each) {
            let failure = match example.model.session_with(&device, &options) {
                Ok(session) => example.failure(&session),
                Err(error) => Some(format!("{}: {error}", example.name)),
            };
            wrong.extend(failure.map(|failure| format!("{what}: {failure}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns how many nodes of a plan are of an operator of the model.
fn count(example: &Example, options: &Options, operator: &str) -> usize {
    let session = example.model.session_with(&device(), options).unwrap();
    assert_eq!(example.failure(&session), None);
    session.plan().unwrap().nodes().iter().filter(|node| node.operator() == operator).count()
}

/// Returns the fused operators of a model.
fn of(example: &Example, options: &Options) -> BTreeSet<&'static str> {
    let session = example.model.session_with(&device(), options).unwrap();
    assert_eq!(example.failure(&session), None);
    fused(&launched(&session))
}

/// Each pattern becomes the operator, and without its rewriting it does not; what only looks like a pattern stays.
#[test]
fn patterns_become_single_operators() {
    let patterns = Example::all(MODELS, |name| !name.ends_with("_script") && !name.ends_with("_dynamo"));
    let expected = |name: &str| -> Option<&'static str> {
        let alone = [
            // What the operator of the device does not take is computed as it is written.
            ("attention_f64", None),
            ("attention_mask_of_five_axes", None),
            ("attention_mask_with_more_batches", None),
            ("attention_mask_with_more_heads", None),
            ("attention_mask_with_more_queries", None),
            ("attention_mask_with_more_keys", None),
            ("attention_of_five_axes", None),
            ("attention_of_three_axes", None),
            ("attention_wide_values", None),
            ("attention_with_shared_keys", None),
            ("gelu_with_constants_of_a_higher_rank", None),
            ("layer_norm_by_operator", None),
            ("layer_norm_f64", None),
            ("linear_f64", None),
            ("linear_of_no_rows", None),
            // What is left when a mean is taken off.
            ("no_layer_norm_another_mean", Some("aclnnRmsNorm")),
            ("rms_norm_f64", None),
            ("rotary_f64", None),
            ("rotary_not_in_the_middle", None),
            ("rotary_of_five_axes", None),
            ("rotary_of_three_axes", None),
        ];
        if let Some((_, operator)) = alone.into_iter().find(|(other, _)| *other == name) {
            return operator;
        }
        let starts = [
            ("attention", "aclnnFlashAttentionScore"),
            ("gelu", "aclnnGelu"),
            ("silu", "aclnnSilu"),
            ("layer_norm", "aclnnLayerNorm"),
            ("rms_norm", "aclnnRmsNorm"),
            ("rotary", "aclnnRotaryPositionEmbedding"),
            ("linear", "aclnnAddmm"),
        ];
        starts.into_iter().find(|(start, _)| name.starts_with(start)).map(|(_, operator)| operator)
    };
    let (mut wrong, mut made) = (Vec::new(), BTreeSet::new());
    for example in &patterns {
        let operator = expected(&example.name);
        let found = of(example, &Options::default());
        if example.name != "layer_norm_by_operator" && found != operator.into_iter().collect() {
            wrong.push(format!("{}: {found:?}, not {operator:?}", example.name));
        }
        let Some(operator) = operator else { continue };
        let (_, rewriting) = FUSED.iter().find(|(start, _)| *start == operator).unwrap();
        if of(example, &Options::default().without(*rewriting)).contains(operator) {
            wrong.push(format!("{}: {operator} without {rewriting}", example.name));
        }
        made.insert(operator);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(made.len(), FUSED.len());
}

/// The nodes that are left of models whose nodes do nothing.
#[test]
fn redundant_nodes_are_left_out() {
    for (name, operator, before, after) in [
        ("identity_chain", "Identity", 3, 0),
        ("identity_of_an_input", "Identity", 2, 0),
        ("identity_of_an_output", "Identity", 1, 0),
        ("dropout_chain", "Dropout", 2, 0),
        ("dropout_told_not_to_train", "Dropout", 1, 0),
        ("dropout_with_mask", "Dropout", 1, 1),
        ("transposes_undone", "Transpose", 2, 0),
        ("transposes_as_one", "Transpose", 3, 1),
        ("transposes_with_an_output_between", "Transpose", 2, 1),
    ] {
        let example = Example::of(name);
        let found = ["redundant", ""]
            .map(|left_out| count(&example, &Options::default().without(left_out), operator));
        assert_eq!(found, [before, after], "{name}");
    }
}

#[test]
fn norms_after_convolutions_become_weights() {
    for name in [
        "conv_and_norm",
        "conv_with_bias_and_norm",
        "conv_in_groups_and_norm",
        "conv_of_one_axis_and_norm",
        "conv_and_norm_with_an_output_between",
        "scale_after_filled_conv_and_norm",
        "resnet_script",
    ] {
        let example = Example::of(name);
        assert_eq!(count(&example, &Options::default(), "BatchNormalization"), 0, "{name}");
        let without = Options::default().without("batch-norm");
        assert!(count(&example, &without, "BatchNormalization") > 0, "{name}");
    }
    assert_eq!(count(&Example::of("norm_without_conv"), &Options::default(), "BatchNormalization"), 1);
}

#[test]
fn factors_and_summands_of_channels_become_parameters() {
    for (name, before, after) in [
        ("scale_after_conv", [1, 1], [0, 0]),
        ("scale_after_conv_by_one_number", [1, 1], [0, 0]),
        ("scale_after_filled_conv_and_norm", [1, 1], [0, 0]),
        ("scale_after_norm", [1, 1], [0, 0]),
        ("no_scale_of_rows", [1, 0], [1, 0]),
        ("no_scale_with_an_output_between", [1, 0], [1, 0]),
        ("no_scale_with_more_batches", [1, 0], [1, 0]),
    ] {
        let example = Example::of(name);
        let counts = |options: &Options| ["Mul", "Add"].map(|operator| count(&example, options, operator));
        assert_eq!(counts(&Options::default().without("scale")), before, "{name}");
        assert_eq!(counts(&Options::default()), after, "{name}");
    }
}

/// The models of both exporters of PyTorch.
#[test]
fn exported_models_run_in_fused_operators_without_waiting() {
    let decoder = ["aclnnFlashAttentionScore", "aclnnRotaryPositionEmbedding", "aclnnRmsNorm", "aclnnSilu"];
    let bert = ["aclnnFlashAttentionScore", "aclnnLayerNorm", "aclnnGelu", "aclnnAddmm"];
    for (model, expected) in [("bert", &bert[..]), ("decoder", &decoder), ("resnet", &["aclnnAddmm"])] {
        for exporter in ["script", "dynamo"] {
            let example = Example::of(&format!("{model}_{exporter}"));
            let session = example.model.session(&device()).unwrap();
            assert_eq!(example.failure(&session), None);
            let plan = session.plan().unwrap();
            assert_eq!(plan.waits(), 0, "{plan}");
            // What depends on shapes alone is not computed again.
            let steers = |node: &&PlannedNode| *node.placement() == Placement::Steering;
            assert_eq!(plan.nodes().iter().filter(steers).count(), 0, "{plan}");
            let launched = launched(&session);
            let wanted = |operator: &&&str| !launched.iter().any(|name| name.starts_with(**operator));
            let missing: Vec<&&str> = expected.iter().filter(wanted).collect();
            assert!(missing.is_empty(), "{}: {missing:?} are missing in {plan}", example.name);
            let softmax = |name: &&str| name.contains("Softmax") || name.contains("BatchNorm");
            assert!(!launched.iter().any(softmax), "{}: {plan}", example.name);
            if model != "resnet" {
                let without = Options::default().without("attention");
                assert!(!of(&example, &without).contains("aclnnFlashAttentionScore"));
                assert!(count(&example, &without, "Softmax") > 0);
            }
        }
    }
}

#[test]
fn names_of_rewritings_that_are_none_change_nothing() {
    let example = Example::of("gelu");
    let options = Options::default().without("Gelu").without("");
    assert_eq!(of(&example, &options), of(&example, &Options::default()));
}
