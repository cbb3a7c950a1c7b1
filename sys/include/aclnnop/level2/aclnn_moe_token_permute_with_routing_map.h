#include "../aclnn_moe_token_permute_with_routing_map.h"
