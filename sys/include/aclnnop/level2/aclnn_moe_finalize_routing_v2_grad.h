#include "../aclnn_moe_finalize_routing_v2_grad.h"
