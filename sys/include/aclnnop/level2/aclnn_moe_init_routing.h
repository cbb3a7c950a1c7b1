#include "../aclnn_moe_init_routing.h"
