#include "../aclnn_moe_init_routing_quant_v2.h"
