#include "../aclnn_group_norm_silu_quant.h"
