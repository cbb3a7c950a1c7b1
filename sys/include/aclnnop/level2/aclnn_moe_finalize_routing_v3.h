#include "../aclnn_moe_finalize_routing_v3.h"
