#include "../aclnn_multi_scale_deformable_attn_function.h"
