#include "../aclnn_moe_fused_topk.h"
