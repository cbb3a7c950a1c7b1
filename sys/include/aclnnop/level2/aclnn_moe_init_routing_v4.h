#include "../aclnn_moe_init_routing_v4.h"
