#include "../aclnn_moe_init_routing_v2.h"
