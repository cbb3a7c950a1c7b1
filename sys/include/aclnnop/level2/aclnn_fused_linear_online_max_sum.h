#include "../aclnn_fused_linear_online_max_sum.h"
