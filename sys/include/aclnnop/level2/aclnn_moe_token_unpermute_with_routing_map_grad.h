#include "../aclnn_moe_token_unpermute_with_routing_map_grad.h"
