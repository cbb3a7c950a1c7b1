//! Random numbers from a seed and an offset.

/// Calls `$callback!` with the operators of random numbers.
#[macro_export]
macro_rules! random_operators {
    ($callback:path) => {
        $callback! {
            random, Random:

            /// Random numbers of the uniform distribution from one number to another, without the last
            uniform (takes: types("float f64 int"), ..RANDOM) {
                InplaceUniform = "aclnnInplaceUniform"(selfRef: inout_const, from: f64, to: f64, seed: u64, offset: u64);
                InplaceUniformTensor = "aclnnInplaceUniformTensor"(
                    selfRef: inout_const, from: f64, to: f64, seedTensor: tensor, offsetTensor: tensor, offset: u64
                );
            }

            /// Random numbers of the normal distribution with a mean and a standard deviation
            normal_in_place (takes: types("float f64 int bool"), ..RANDOM) {
                InplaceNormal = "aclnnInplaceNormal"(selfRef: inout_const, mean: f32, std: f32, seed: i64, offset: i64);
                InplaceNormalTensor = "aclnnInplaceNormalTensor"(
                    selfRef: inout_const, mean: f32, std: f32, seedTensor: tensor, offsetTensor: tensor, offset: i64
                );
            }

            /// Random numbers of normal distributions, each with its own mean and standard deviation
            normal (takes: types("float f64 bf16"), parameters: types("float f64 bf16"), ..RANDOM) {
                NormalFloatFloat = "aclnnNormalFloatFloat"(mean: f32, std: f32, seed: i64, offset: i64, out: out);
                NormalTensorFloat = "aclnnNormalTensorFloat"(mean: tensor, std: f32, seed: i64, offset: i64, out: out);
                NormalFloatTensor = "aclnnNormalFloatTensor"(mean: f32, std: tensor, seed: i64, offset: i64, out: out);
                NormalTensorTensor = "aclnnNormalTensorTensor"(
                    mean: tensor, std: tensor, seed: i64, offset: i64, out: out
                );
            }

            /// Random whole numbers from one number to another, without the last
            random (takes: types("float f64 int bool bf16 complex@910,310P,910B"), ..RANDOM) {
                InplaceRandom = "aclnnInplaceRandom"(selfRef: inout_const, from: i64, to: i64, seed: i64, offset: i64);
                InplaceRandomTensor = "aclnnInplaceRandomTensor"(
                    selfRef: inout_const, from: i64, to: i64, seedTensor: tensor, offsetTensor: tensor, offset: i64
                );
            }

            /// Random whole numbers from zero to the greatest one of the type; for a float, to the greatest one up to which it holds every whole number
            random_whole_range (takes: types("float f64 int bool bf16 complex@910,310P,910B"), ..RANDOM) {
                InplaceRandomWithoutFromTo = "aclnnInplaceRandomWithoutFromTo"(
                    selfRef: inout_const, seed: i64, offset: i64
                ) since "9.0.0";
                InplaceRandomWithoutFromToTensor = "aclnnInplaceRandomWithoutFromToTensor"(
                    selfRef: inout_const, seedTensor: tensor, offsetTensor: tensor, offset: i64
                ) since "9.0.0";
            }

            /// Random zeros and ones; each element is one with the same probability
            bernoulli (
                takes: types("float@910,910B,950 f64@910,910B,950 int@910,910B,950 bool@910,910B,950 uint@950"),
                parameters: types("float f64"), ..RANDOM
            ) {
                Bernoulli = "aclnnBernoulli"(self_: tensor, prob: scalar, seed: i64, offset: i64, out: out);
                InplaceBernoulli = "aclnnInplaceBernoulli"(selfRef: inout_const, prob: scalar, seed: i64, offset: i64);
            }

            /// Random zeros and ones; each element is one with its own probability
            bernoulli_tensor (
                takes: types("float@910,910B,950 f64@910,910B,950 int@910,910B,950 bool@910,910B,950 uint@950"),
                parameters: types("float f64"), ..RANDOM
            ) {
                BernoulliTensor = "aclnnBernoulliTensor"(self_: tensor, prob: tensor, seed: i64, offset: i64, out: out);
                InplaceBernoulliTensor = "aclnnInplaceBernoulliTensor"(
                    selfRef: inout_const, prob: tensor, seed: i64, offset: i64
                );
            }

            /// The elements that a random mask keeps, divided by the probability of being kept, zeros for the others, and the mask
            dropout (takes: types("f32 f16 bf16@910B"), output: Castable, ..RANDOM) {
                Dropout = "aclnnDropout"(
                    input: tensor, p: f64, train: bool, seed: i64, offset: i64, out: out, maskOut: out
                );
            }

            /// Dropout with a mask for every probability
            dropout_v3 (takes: types("float"), output: Castable, ..RANDOM) {
                DropoutV3 = "aclnnDropoutV3"(
                    input: tensor, optionalNoiseShape: tensor_or_null, p: f64, seed: i64, offset: i64, out: out,
                    maskOut: out
                );
            }

            /// A mask of bits, each of which is 0 with a probability
            dropout_mask (takes: types("u8"), ..RANDOM) {
                DropoutGenMask = "aclnnDropoutGenMask"(shape: ints, prob: f64, seed: i64, offset: i64, out: out);
                DropoutGenMaskV2 = "aclnnDropoutGenMaskV2"(
                    shape: ints, prob: f64, seed: i64, offset: i64, probDataType: dtype, out: out
                );
                DropoutGenMaskV2Tensor = "aclnnDropoutGenMaskV2Tensor"(
                    shape: ints, prob: f64, seedTensor: tensor, offsetTensor: tensor, offset: i64, probDataType: dtype,
                    out: out
                );
            }

            /// The elements that a mask keeps, divided by the probability of being kept, and zeros for the others
            dropout_do_mask (takes: types("float"), output: Castable, ..RANDOM) {
                DropoutDoMask = "aclnnDropoutDoMask"(self_: tensor, mask: tensor, prob: f64, out: out);
            }

            /// The gradient of `dropout`: the elements that the mask keeps times a factor, and zeros for the others
            dropout_backward (takes: types("float"), output: Castable, ..RANDOM) {
                DropoutBackward = "aclnnDropoutBackward"(gradOutput: tensor, mask: tensor, scale: f64, out: out);
                DropoutV3Grad = "aclnnDropoutV3Grad"(gradY: tensor, mask: tensor, scale: f64, gradX: out) since "9.0.0";
            }

            /// `x` where it is positive, and otherwise `x` times a slope, which is random in a range, or the middle of it
            rrelu (takes: types("float"), parameters: types("float f64 bf16"), ..RANDOM) {
                RReluWithNoise = "aclnnRReluWithNoise"(
                    self_: tensor, noise: out_const, lower: scalar, upper: scalar, training: bool, seed: i64, offset: i64,
                    out: out
                );
                InplaceRReluWithNoise = "aclnnInplaceRReluWithNoise"(
                    self_: inout_const, noise: out_const, lower: scalar, upper: scalar, training: bool, seed: i64,
                    offset: i64
                );
            }

            /// Random numbers of the exponential distribution with a rate, in the order in which threads of a GPU draw them for
            /// PyTorch
            ///
            /// Threads are those of blocks of 256, one for each element and at most 624 blocks; a thread takes four numbers from
            /// each block of words of its generator, as far apart as there are threads. A number is `−ln(u) / lambda`.
            exponential (takes: types("float@910B,950"), ..RANDOM) {
                SimThreadExponential = "aclnnSimThreadExponential"(
                    selfRef: inout, count: i64, lambda: f64, seed: i64, offset: i64
                );
            }

            /// Random positions in each row, with probabilities that are proportional to the elements
            multinomial (takes: types("float f64"), output: Any(types("i64")), ..RANDOM) {
                Multinomial = "aclnnMultinomial"(
                    self_: tensor, numsamples: i64, replacement: bool, seed: i64, offset: i64, out: out
                );
                MultinomialTensor = "aclnnMultinomialTensor"(
                    self_: tensor, numsamples: i64, replacement: bool, seedTensor: tensor, offsetTensor: tensor,
                    offset: i64, out: out
                );
            }

            /// The numbers from 0 up to `n`, without `n`, in random order
            randperm (takes: types("float f64 int"), ..RANDOM) {
                Randperm = "aclnnRandperm"(n: i64, seed: i64, offset: i64, out: out);
            }
        }
    };
}

random_operators!(super::info::family);
