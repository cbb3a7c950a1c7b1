#include "../aclnn_moe_finalize_routing_v4.h"
