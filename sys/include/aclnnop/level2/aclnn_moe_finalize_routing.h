#include "../aclnn_moe_finalize_routing.h"
