#include "../aclnn_moe_gating_top_k_softmax_v2.h"
