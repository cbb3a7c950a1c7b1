#include "../aclnn_moe_gating_top_k_softmax.h"
