#include "../aclnn_moe_distribute_combine_add_rms_norm_v2.h"
