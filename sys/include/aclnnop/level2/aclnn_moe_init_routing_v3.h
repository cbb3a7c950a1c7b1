#include "../aclnn_moe_init_routing_v3.h"
