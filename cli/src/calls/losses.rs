//! Losses and their gradients.

use aclnn::{Tensor, ops};

use super::function::functions;
use super::operation::Direct;

functions! {
    mse_loss(own: tensor, target: tensor, reduction: loss_reduction = "mean")[MseLoss] =>
        Direct(|| ops::mse_loss(own, target).reduction(reduction).run());
    mse_loss_backward(grad: tensor, own: tensor, target: tensor, reduction: loss_reduction = "mean")
        [MseLossBackward] => Direct(|| ops::mse_loss(own, target).reduction(reduction).backward(grad));
    l1_loss(own: tensor, target: tensor, reduction: loss_reduction = "mean")[L1Loss] =>
        Direct(|| ops::l1_loss(own, target).reduction(reduction).run());
    l1_loss_backward(grad: tensor, own: tensor, target: tensor, reduction: loss_reduction = "mean")
        [L1LossBackward] => Direct(|| ops::l1_loss(own, target).reduction(reduction).backward(grad));
    soft_margin_loss(own: tensor, target: tensor, reduction: loss_reduction = "mean")[SoftMarginLoss] =>
        Direct(|| ops::soft_margin_loss(own, target).reduction(reduction).run());
    soft_margin_loss_backward(grad: tensor, own: tensor, target: tensor, reduction: loss_reduction = "mean")
        [SoftMarginLossBackward] =>
        Direct(|| ops::soft_margin_loss(own, target).reduction(reduction).backward(grad));
    smooth_l1_loss(own: tensor, target: tensor, beta: f32 = "1", reduction: loss_reduction = "mean")
        [SmoothL1Loss] => Direct(|| ops::smooth_l1_loss(own, target).beta(beta).reduction(reduction).run());
    smooth_l1_loss_backward(
        grad: tensor, own: tensor, target: tensor, beta: f32 = "1", reduction: loss_reduction = "mean"
    )[SmoothL1LossBackward] =>
        Direct(|| ops::smooth_l1_loss(own, target).beta(beta).reduction(reduction).backward(grad));
    kl_div(own: tensor, target: tensor, log_target: bool = "false", reduction: loss_reduction = "mean")[KlDiv] =>
        Direct(|| divergence(own, target, log_target).reduction(reduction).run());
    kl_div_backward(
        grad: tensor, own: tensor, target: tensor, log_target: bool = "false", reduction: loss_reduction = "mean"
    )[KlDivBackward] =>
        Direct(|| divergence(own, target, log_target).reduction(reduction).backward(grad));
    kl_div_target_backward(
        grad: tensor, own: tensor, target: tensor, log_target: bool = "false", reduction: loss_reduction = "mean"
    )[KlDivTargetBackward] =>
        Direct(|| divergence(own, target, log_target).reduction(reduction).target_backward(grad));
    binary_cross_entropy(own: tensor, target: tensor, weight: optional_tensor, reduction: loss_reduction = "mean")
        [BinaryCrossEntropy] => Direct(|| entropy(own, target, weight).reduction(reduction).run());
    binary_cross_entropy_backward(
        grad: tensor, own: tensor, target: tensor, weight: optional_tensor, reduction: loss_reduction = "mean"
    )[BinaryCrossEntropyBackward] =>
        Direct(|| entropy(own, target, weight).reduction(reduction).backward(grad));
    binary_cross_entropy_with_logits(
        own: tensor, target: tensor, weight: optional_tensor, pos_weight: optional_tensor,
        reduction: loss_reduction = "mean"
    )[BinaryCrossEntropyWithLogits] =>
        Direct(|| logit_entropy(own, target, [weight, pos_weight]).reduction(reduction).run());
    binary_cross_entropy_with_logits_backward(
        grad: tensor, own: tensor, target: tensor, weight: optional_tensor, pos_weight: optional_tensor,
        reduction: loss_reduction = "mean"
    )[BinaryCrossEntropyWithLogitsBackward] =>
        Direct(|| logit_entropy(own, target, [weight, pos_weight]).reduction(reduction).backward(grad));
    binary_cross_entropy_with_logits_target_backward(
        grad: tensor, own: tensor, target: tensor, weight: optional_tensor, pos_weight: optional_tensor,
        reduction: loss_reduction = "mean"
    )[BinaryCrossEntropyWithLogitsTargetBackward] =>
        Direct(|| logit_entropy(own, target, [weight, pos_weight]).reduction(reduction).target_backward(grad));
    nll_loss(
        own: tensor, target: tensor, weight: optional_tensor, ignore_index: i64 = "-100",
        reduction: loss_reduction = "mean"
    )[NLLLoss NLLLoss2d] => Direct(|| {
        likelihood(own, target, weight).ignore_index(ignore_index).reduction(reduction).run_with_total_weight()
    });
    nll_loss_backward(
        grad: tensor, own: tensor, target: tensor, total_weight: tensor, weight: optional_tensor,
        ignore_index: i64 = "-100", reduction: loss_reduction = "mean"
    )[NLLLossBackward NLLLoss2dBackward] => Direct(|| {
        let loss = likelihood(own, target, weight).ignore_index(ignore_index);
        loss.reduction(reduction).backward(grad, total_weight)
    });
    cross_entropy(
        own: tensor, target: tensor, weight: optional_tensor, ignore_index: i64 = "-100",
        label_smoothing: f64 = "0", reduction: loss_reduction = "mean"
    )[CrossEntropyLoss] => Direct(|| {
        let loss = cross_entropy(own, target, weight).ignore_index(ignore_index);
        loss.label_smoothing(label_smoothing).reduction(reduction).run_with_log_probabilities()
    });
    cross_entropy_backward(
        grad: tensor, own: tensor, target: tensor, log_probabilities: tensor, weight: optional_tensor,
        ignore_index: i64 = "-100", reduction: loss_reduction = "mean"
    )[CrossEntropyLossGrad] => Direct(|| {
        let loss = cross_entropy(own, target, weight).ignore_index(ignore_index);
        loss.reduction(reduction).backward(grad, log_probabilities)
    });
    softmax_cross_entropy(own: tensor, labels: tensor)[SoftmaxCrossEntropyWithLogits] =>
        Direct(|| own.softmax_cross_entropy(labels));
    multilabel_margin_loss(own: tensor, target: tensor, reduction: loss_reduction = "mean")
        [MultilabelMarginLoss] => Direct(|| own.multilabel_margin_loss(target, reduction));
    ctc_loss(own: tensor, target: tensor, lengths: ints, target_lengths: ints, blank: i64 = "0")[CtcLoss] =>
        Direct(|| ops::ctc_loss(own, target, &lengths, &target_lengths).blank(blank).run());
    ctc_loss_backward(
        grad: tensor, own: tensor, target: tensor, loss: tensor, log_alpha: tensor, lengths: ints,
        target_lengths: ints, blank: i64 = "0", zero_infinity: bool = "false"
    )[CtcLossBackward] => Direct(|| {
        let ctc = ops::ctc_loss(own, target, &lengths, &target_lengths).blank(blank);
        let ctc = if zero_infinity { ctc.zero_infinity() } else { ctc };
        ctc.backward(grad, loss, log_alpha)
    });
    softmax_backward(grad: tensor, result: tensor, axis: axis = "-1")[SoftmaxBackward] =>
        Direct(|| grad.softmax_backward(result, axis));
    log_softmax_backward(grad: tensor, result: tensor, axis: axis = "-1")[LogSoftmaxBackward] =>
        Direct(|| grad.log_softmax_backward(result, axis));
}

fn divergence<'a>(own: &'a Tensor, target: &'a Tensor, log_target: bool) -> ops::Loss<'a, ops::Divergence> {
    let loss = ops::kl_div(own, target);
    if log_target { loss.log_target() } else { loss }
}

fn entropy<'a>(
    own: &'a Tensor,
    target: &'a Tensor,
    weight: Option<&'a Tensor>,
) -> ops::Loss<'a, ops::BinaryCrossEntropy<'a>> {
    let loss = ops::binary_cross_entropy(own, target);
    match weight {
        Some(weight) => loss.weight(weight),
        None => loss,
    }
}

fn logit_entropy<'a>(
    own: &'a Tensor,
    target: &'a Tensor,
    [weight, positive]: [Option<&'a Tensor>; 2],
) -> ops::Loss<'a, ops::BinaryCrossEntropyWithLogits<'a>> {
    let loss = ops::binary_cross_entropy_with_logits(own, target);
    let loss = match weight {
        Some(weight) => loss.weight(weight),
        None => loss,
    };
    match positive {
        Some(positive) => loss.pos_weight(positive),
        None => loss,
    }
}

fn likelihood<'a>(own: &'a Tensor, target: &'a Tensor, weight: Option<&'a Tensor>) -> ops::NllLoss<'a> {
    let loss = ops::nll_loss(own, target);
    match weight {
        Some(weight) => loss.weight(weight),
        None => loss,
    }
}

fn cross_entropy<'a>(
    own: &'a Tensor,
    target: &'a Tensor,
    weight: Option<&'a Tensor>,
) -> ops::CrossEntropy<'a> {
    let loss = ops::cross_entropy(own, target);
    match weight {
        Some(weight) => loss.weight(weight),
        None => loss,
    }
}
