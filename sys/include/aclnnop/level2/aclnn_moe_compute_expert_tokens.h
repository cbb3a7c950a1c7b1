#include "../aclnn_moe_compute_expert_tokens.h"
