#include "../aclnn_moe_gating_top_k.h"
