#include "../aclnn_multi_scale_deformable_attention_grad.h"
