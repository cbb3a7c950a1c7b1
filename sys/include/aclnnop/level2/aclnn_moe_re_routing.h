#include "../aclnn_moe_re_routing.h"
