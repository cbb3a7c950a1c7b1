#include "../aclnn_moe_gating_top_k_v2.h"
