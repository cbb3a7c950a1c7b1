//! Optimizer steps, and the loss scale of mixed precision.
//!
//! CANN's description does not say what FusedSgd takes and computes: here it is PyTorch's step.

/// Calls `$callback!` with the optimizer steps.
#[macro_export]
macro_rules! optimizer_operators {
    ($callback:path) => {
        $callback! {
            optimizer, Wide:

            /// An optimizer step of AdamW, Adam with decoupled weight decay, with hyperparameters in tensors
            apply_adam_w (takes: types("float"), output: Own) {
                ApplyAdamW = "aclnnApplyAdamW"(
                    varRef: inout, mRef: inout, vRef: inout, beta1Power: tensor, beta2Power: tensor, lr: tensor,
                    weightDecay: tensor, beta1: tensor, beta2: tensor, eps: tensor, grad: tensor,
                    maxGradNormOptional: tensor_or_null, amsgrad: bool, maximize: bool
                );
            }

            /// An optimizer step of AdamW, Adam with decoupled weight decay
            apply_adam_w_v2 (takes: types("float"), output: Any(types("float"))) {
                ApplyAdamWV2 = "aclnnApplyAdamWV2"(
                    varRef: inout, mRef: inout, vRef: inout, maxGradNormOptionalRef: out_or_null, grad: tensor,
                    step: tensor, lr: f32, beta1: f32, beta2: f32, weightDecay: f32, eps: f32, amsgrad: bool,
                    maximize: bool
                );
            }

            /// An optimizer step of Adam, and a running mean of the parameters
            apply_fused_ema_adam (takes: types("float@910B,950"), output: Own) {
                ApplyFusedEmaAdam = "aclnnApplyFusedEmaAdam"(
                    grad: tensor, varRef: inout, mRef: inout, vRef: inout, sRef: inout, step: tensor, lr: f64,
                    emaDecay: f64, beta1: f64, beta2: f64, eps: f64, mode: i64, biasCorrection: bool, weightDecay: f64
                );
            }

            /// An optimizer step of AdamW, Adam with decoupled weight decay, for each parameter of a list
            fused_adamw (takes: types("float"), output: Own) {
                FusedAdamw = "aclnnFusedAdamw"(
                    paramsRef: tensors_inout_const, grads: tensors, expAvgsRef: tensors_inout_const,
                    expAvgSqsRef: tensors_inout_const, maxExpAvgSqsRef: tensors_inout_const, stateSteps: tensors,
                    gradScaleOptional: tensor_or_null, foundInfOptional: tensor_or_null, lr: f64, beta1: f64, beta2: f64,
                    weightDecay: f64, eps: f64, amsgrad: bool, maximize: bool
                );
            }

            /// An optimizer step of gradient descent with momentum, for each parameter of a list
            fused_sgd (takes: types("float"), output: Own) {
                FusedSgd = "aclnnFusedSgd"(
                    paramsRef: tensors_inout_const, gradsRef: tensors_inout_const,
                    momentumBufferListOptionalRef: tensors_inout_const, gradScaleOptional: tensor_or_null,
                    weightDecay: f32, momentum: f32, lr: f32, dampening: f32, nesterov: bool, maximize: bool,
                    isFirstStep: bool
                );
            }

            /// A step of gradient descent: the parameter less alpha times delta
            apply_gradient_descent (takes: types("float@910B,950"), output: Own) {
                ApplyGradientDescent = "aclnnApplyGradientDescent"(var: inout, alpha: tensor, delta: tensor);
            }

            /// An optimizer step of Adadelta, as TensorFlow computes it
            apply_adadelta (takes: types("float@910B,950"), output: Own) {
                ApplyAdadelta = "aclnnApplyAdadelta"(
                    var: tensor, accum: tensor, accumUpdate: tensor, lr: scalar, rho: scalar, epsilon: scalar,
                    grad: tensor, varOut: out, accumOut: out, accumUpdateOut: out
                );
            }

            /// An optimizer step of Adam, as TensorFlow computes it: with the powers of both betas
            apply_adam_d (takes: types("float@910B,950"), output: Own) {
                ApplyAdamD = "aclnnApplyAdamD"(
                    var: tensor, m: tensor, v: tensor, beta1Power: tensor, beta2Power: tensor, lr: tensor, beta1: tensor,
                    beta2: tensor, epsilon: tensor, grad: tensor, useLocking: bool, useNesterov: bool, varOut: out,
                    mOut: out, vOut: out
                );
            }

            /// An optimizer step of Adam as `apply_adam_d` computes it, in place; both moments are written, too
            apply_adam (takes: types("float@950"), output: Own) {
                ApplyAdam = "aclnnApplyAdam"(
                    varRef: inout, m: inout_const, v: inout_const, beta1Power: tensor, beta2Power: tensor, lr: tensor,
                    beta1: tensor, beta2: tensor, epsilon: tensor, grad: tensor, useLocking: bool, useNesterov: bool
                );
            }

            /// An optimizer step of AdamW as PyTorch computes it, of moments that are numbers of 256 steps, times the greatest
            /// moment of their block
            ///
            /// Gradients are multiplied by `gnormScale` first. A moment becomes the nearest step, the lower one of two, and the
            /// next one where it would lose its sign.
            apply_adam_w_quant (takes: types("float@910B,950"), output: Own) {
                ApplyAdamWQuant = "aclnnApplyAdamWQuant"(
                    varRef: inout, grad: tensor, mRef: inout, vRef: inout, qmapM: tensor, qmapV: tensor, absmaxMRef: inout,
                    absmaxVRef: inout, step: tensor, lr: f64, beta1: f64, beta2: f64, weightDecay: f64, eps: f64,
                    gnormScale: f64, quantModeOptional: str_mut, blockSize: i64
                );
            }

            /// An optimizer step of Adamax, as TensorFlow computes it
            apply_adamax (takes: types("float@910B,950"), output: Own) {
                ApplyAdamax = "aclnnApplyAdamax"(
                    var: tensor, m: tensor, v: tensor, beta1Power: scalar, lr: scalar, beta1: scalar, beta2: scalar,
                    epsilon: scalar, grad: tensor, varOut: out, mOut: out, vOut: out
                );
            }

            /// An optimizer step of FTRL-proximal, as TensorFlow computes it
            apply_ftrl (takes: types("float@910B,950"), output: Own) {
                ApplyFtrl = "aclnnApplyFtrl"(
                    varRef: inout, accumRef: inout, linearRef: inout, grad: tensor, lr: tensor, l1: tensor, l2: tensor,
                    lrPower: tensor, useLocking: bool
                );
            }

            /// The next loss scale in mixed precision: smaller after a gradient that is not finite, larger after a number of finite gradients
            amp_update_scale (takes: types("float"), output: Own) {
                AmpUpdateScale = "aclnnAmpUpdateScale"(
                    currentScale: tensor_mut, growthTracker: tensor_mut, foundInf: tensor, growthFactor: f64,
                    backoffFactor: f64, growthInterval: i64, updatedScale: out, updatedGrowthTracker: out
                );
            }
        }
    };
}

optimizer_operators!(super::info::family);
