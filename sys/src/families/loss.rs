//! Losses, and their gradients.

/// Calls `$callback!` with the losses.
#[macro_export]
macro_rules! loss_operators {
    ($callback:path) => {
        $callback! {
            loss, Wide:

            /// The squared difference, `(self − target)²`
            mse_loss (takes: types("float"), output: Any(types("float"))) {
                MseLoss = "aclnnMseLoss"(self_: tensor, target: tensor, reduction: i64, out: out);
            }

            /// The squared difference, reduced along the first axis only
            mse_loss_out (takes: types("float"), output: Any(types("float"))) {
                MseLossOut = "aclnnMseLossOut"(self_: tensor, target: tensor, reduction: i64, out: out);
            }

            /// The gradient of the squared difference
            mse_loss_backward (takes: types("float"), output: Any(types("float"))) {
                MseLossBackward = "aclnnMseLossBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, out: out
                );
            }

            /// The absolute difference, `|self − target|`
            l1_loss (takes: types("float i64"), output: Castable) {
                L1Loss = "aclnnL1Loss"(self_: tensor, target: tensor, reduction: i64, out: out);
            }

            /// The gradient of the absolute difference
            l1_loss_backward (takes: types("float"), output: Castable) {
                L1LossBackward = "aclnnL1LossBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, gradInput: out
                );
            }

            /// The smooth absolute difference: `d² / 2 beta` where `|d|` is below `beta`, and otherwise `|d| − beta / 2`
            smooth_l1_loss (takes: types("float"), output: Castable) {
                SmoothL1Loss = "aclnnSmoothL1Loss"(self_: tensor, target: tensor, reduction: i64, beta: f32, result: out);
            }

            /// The gradient of the smooth absolute difference
            smooth_l1_loss_backward (takes: types("float"), output: Any(types("float"))) {
                SmoothL1LossBackward = "aclnnSmoothL1LossBackward"(
                    gradOut: tensor, self_: tensor, target: tensor, reduction: i64, beta: f32, gradInput: out
                );
            }

            /// `log(1 + e^(−target self))`, for targets of −1 and 1
            soft_margin_loss (takes: types("float"), output: Any(types("float"))) {
                SoftMarginLoss = "aclnnSoftMarginLoss"(self_: tensor, target: tensor, reduction: i64, out: out);
            }

            /// The gradient of the soft margin loss
            soft_margin_loss_backward (takes: types("float"), output: Any(types("float"))) {
                SoftMarginLossBackward = "aclnnSoftMarginLossBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, out: out
                );
            }

            /// The Kullback-Leibler divergence of probabilities `target` from probabilities whose logarithms are `self`
            kl_div (takes: types("float"), output: Any(types("float"))) {
                KlDiv = "aclnnKlDiv"(self_: tensor, target: tensor, reduction: i64, logTarget: bool, out: out);
            }

            /// The gradient of the divergence for the logarithms
            kl_div_backward (takes: types("float"), output: Any(types("float"))) {
                KlDivBackward = "aclnnKlDivBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, logTarget: bool, out: out
                );
            }

            /// The gradient of the divergence for the target
            kl_div_target_backward (takes: types("float"), output: Any(types("float"))) {
                KlDivTargetBackward = "aclnnKlDivTargetBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, logTarget: bool, gradTarget: out
                );
            }

            /// The cross entropy of probabilities `self` and `target`, whose logarithms are at least −100
            binary_cross_entropy (takes: types("float"), output: Any(types("float"))) {
                BinaryCrossEntropy = "aclnnBinaryCrossEntropy"(
                    self_: tensor, target: tensor, weight: tensor_or_null, reduction: i64, out: out
                );
            }

            /// The gradient of the binary cross entropy
            binary_cross_entropy_backward (takes: types("float"), output: Any(types("float"))) {
                BinaryCrossEntropyBackward = "aclnnBinaryCrossEntropyBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, weightOptional: tensor_or_null, reduction: i64,
                    out: out
                );
            }

            /// The cross entropy of the sigmoid of `self` and probabilities `target`
            binary_cross_entropy_with_logits (takes: types("float"), output: Any(types("float"))) {
                BinaryCrossEntropyWithLogits = "aclnnBinaryCrossEntropyWithLogits"(
                    self_: tensor, target: tensor, weightOptional: tensor_or_null, posWeightOptional: tensor_or_null,
                    reduction: i64, out: out
                );
            }

            /// The gradient of the cross entropy for the logits
            binary_cross_entropy_with_logits_backward (takes: types("float"), output: Any(types("float"))) {
                BinaryCrossEntropyWithLogitsBackward = "aclnnBinaryCrossEntropyWithLogitsBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, weightOptional: tensor_or_null,
                    posWeightOptional: tensor_or_null, reduction: i64, out: out
                );
            }

            /// The gradient of the cross entropy for the target
            binary_cross_entropy_with_logits_target_backward (takes: types("float"), output: Any(types("float"))) {
                BinaryCrossEntropyWithLogitsTargetBackward = "aclnnBinaryCrossEntropyWithLogitsTargetBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, weightOptional: tensor_or_null,
                    posWeightOptional: tensor_or_null, reduction: i64, gradTarget: out
                );
            }

            /// The negative log likelihood: minus the element of each row at its class, times the weight of the class
            nll_loss (takes: types("float"), output: Castable) {
                NLLLoss = "aclnnNLLLoss"(
                    self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64, out: out,
                    totalWeightOut: out
                );
                NLLLoss2d = "aclnnNLLLoss2d"(
                    self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64, out: out,
                    totalWeightOut: out
                );
            }

            /// The gradient of the negative log likelihood
            nll_loss_backward (takes: types("float"), output: Castable) {
                NLLLossBackward = "aclnnNLLLossBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64,
                    totalWeight: tensor, out: out
                );
            }

            /// The negative log likelihood of the pixels of images
            nll_loss2d_backward (takes: types("float"), output: Own) {
                NLLLoss2dBackward = "aclnnNLLLoss2dBackward"(
                    gradOutput: tensor, self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64,
                    totalWeight: tensor_mut, out: out
                );
            }

            /// The logarithms of the softmax of each row, and the cross entropy: minus that of its class
            cross_entropy_loss (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                CrossEntropyLoss = "aclnnCrossEntropyLoss"(
                    input: tensor, target: tensor, weightOptional: tensor_or_null, reductionOptional: str_mut,
                    ignoreIndex: i64, labelSmoothing: f64, lseSquareScaleForZloss: f64, returnZloss: bool, lossOut: out,
                    logProbOut: out, zlossOut: out, lseForZlossOut: out
                );
            }

            /// The gradient of the cross entropy of classes
            cross_entropy_loss_grad (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                CrossEntropyLossGrad = "aclnnCrossEntropyLossGrad"(
                    gradLoss: tensor, logProb: tensor, target: tensor, weightOptional: tensor_or_null,
                    gradZlossOptional: tensor_or_null, lseForZlossOptional: tensor_or_null, reductionOptional: str_mut,
                    ignoreIndex: i64, labelSmoothing: f64, lseSquareScaleForZloss: f64, out: out
                );
            }

            /// The cross entropy of the softmax of each row and probabilities, and its gradient for those that sum up to 1
            softmax_cross_entropy_with_logits (takes: types("float"), output: Own) {
                SoftmaxCrossEntropyWithLogits = "aclnnSoftmaxCrossEntropyWithLogits"(
                    features: tensor, labels: tensor_mut, loss: out, backprop: out
                );
            }

            /// The margin loss of several labels: the sum of the amounts by which the score of a label is less than 1 above those of the other classes
            multilabel_margin_loss (takes: types("float"), output: Own) {
                MultilabelMarginLoss = "aclnnMultilabelMarginLoss"(
                    self_: tensor, target: tensor, reduction: i64, out: out, isTarget: out
                );
            }

            /// The connectionist temporal classification loss: minus the logarithm of the probability of a sequence without its blanks and repetitions
            ctc_loss (takes: types("f32 f64 f16@910B,950 bf16@910B,950"), output: Own) {
                CtcLoss = "aclnnCtcLoss"(
                    logProbs: tensor, targets: tensor, inputLengths: ints, targetlengths: ints, blank: i64,
                    zeroInfinity: bool, negLogLikelihoodOut: out, logAlphaOut: out
                );
            }

            /// The gradient of the connectionist temporal classification loss
            ctc_loss_backward (takes: types("f32 f64 f16@910B,950 bf16@910B,950"), output: Own) {
                CtcLossBackward = "aclnnCtcLossBackward"(
                    gradOut: tensor, logProbs: tensor, targets: tensor, inputLengths: ints, targetLengths: ints,
                    negLogLikelihood: tensor, logAlpha: tensor, blank: i64, zeroInfinity: bool, out: out
                );
            }

            /// The numbers that a device knows of rows by the scores of its classes, `input weightᵀ`, as Megatron computes them: the
            /// greatest score, the sum of exponentials of what scores are less, and how much less that of the target is. Targets
            /// from vocabStartIndex up to vocabEndIndex, which is not one of them, are here; the others count 0, and masks say so
            linear_max_sum (takes: types("float@910B"), output: Own) {
                FusedLinearOnlineMaxSum = "aclnnFusedLinearOnlineMaxSum"(
                    input: tensor, weight: tensor, target: tensor, vocabStartIndex: i64, vocabEndIndex: i64,
                    logitsMaxLocalOut: out, sumExpLogitsLocalOut: out, predictedLogitsLocalOut: out, targetMaskOut: out,
                    maskedTargetOut: out, vocabParallelLogitsOutOptional: out_or_null
                );
            }

            /// The cross entropy `log(sumExpLogits) − predictedLogits` of numbers that devices have joined, with a part of
            /// labelSmoothing that all classes share, as Megatron has it, and the probabilities of the classes of a device
            loss_with_max_sum (takes: types("f32@910B"), output: Own) {
                FusedCrossEntropyLossWithMaxSum = "aclnnFusedCrossEntropyLossWithMaxSum"(
                    logitsMax: tensor, sumExpLogits: tensor, predictedLogits: tensor, labelSmoothing: f32,
                    inputOptional: tensor_or_null, weightOptional: tensor_or_null,
                    vocabParallelLogitsOptional: tensor_or_null, lossOut: out, softMaxOutOptional: out_or_null
                );
            }

            /// The gradients of rows and classes, from the probabilities of classes, or from the greatest scores and the sums
            linear_cross_entropy_grad (takes: types("float@910B"), output: Own) {
                FusedLinearCrossEntropyLossGrad = "aclnnFusedLinearCrossEntropyLossGrad"(
                    grad: tensor, input: tensor, weight: tensor, targetMask: tensor, maskedTarget: tensor,
                    labelSmoothing: f32, logitsMaxOptional: tensor_or_null, sumExpLogitsOptional: tensor_or_null,
                    softmaxOptional: tensor_or_null, inputGradOut: out, weightGradOut: out
                );
            }
        }
    };
}

loss_operators!(super::info::family);
