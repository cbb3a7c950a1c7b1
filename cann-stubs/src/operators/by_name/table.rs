//! The operators.

use super::named::{Named, Work};
use super::{elements, places, recurrent};
use crate::status::Result;

/// Plans an operator of a call.
type Rule = fn(&Named) -> Result<Work>;

const TABLE: &[(&str, Rule)] = &[
    ("ArgMaxGrad", places::arg_max_grad),
    ("ArgMaxWithValue", elements::arg_max_with_value),
    ("ArgMinWithValue", elements::arg_min_with_value),
    ("BatchMatMul", elements::batch_mat_mul),
    ("BroadcastTo", places::broadcast_to),
    ("CdistGrad", elements::cdist_grad),
    ("ConfusionTransposeD", places::confusion_transpose),
    ("Conv2D", elements::conv2d),
    ("Conv3D", elements::conv3d),
    ("DropOutDoMaskV3", elements::drop_out_do_mask),
    ("DropOutGenMaskV3", elements::drop_out_gen_mask),
    ("DynamicGRUV2", recurrent::dynamic_gru_v2),
    ("DynamicGRUV2Grad", recurrent::dynamic_gru_v2_grad),
    ("DynamicRNN", recurrent::dynamic_rnn),
    ("DynamicRNNGrad", recurrent::dynamic_rnn_grad),
    ("DynamicRNNV2", recurrent::dynamic_rnn_v2),
    ("DynamicRNNV2Grad", recurrent::dynamic_rnn_v2_grad),
    ("Fill", elements::fill),
    ("Identity", places::identity),
    ("LayerNormV3", elements::layer_norm),
    ("MatMulV2", elements::mat_mul),
    ("Mish", elements::mish),
    ("MishGrad", elements::mish_grad),
    ("OneHotD", elements::one_hot),
    ("Pad", places::pad),
    ("ScaledMaskedSoftmax", elements::scaled_masked_softmax),
    ("ScaledMaskedSoftmaxGrad", elements::scaled_masked_softmax_grad),
    ("Slice", places::slice),
    ("SoftmaxCrossEntropyWithLogits", elements::softmax_cross_entropy_with_logits),
    ("SortV2", elements::sort),
    ("StridedSlice", places::strided_slice),
    ("Swish", elements::swish),
    ("SwishGrad", elements::swish_grad),
    ("TransData", places::identity),
    ("Transpose", places::transpose),
];

/// The operator of a name.
pub(super) fn find(name: &str) -> Option<(&'static str, Rule)> {
    TABLE.iter().find(|(own, _)| *own == name).copied()
}
