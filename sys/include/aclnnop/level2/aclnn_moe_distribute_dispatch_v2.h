#include "../aclnn_moe_distribute_dispatch_v2.h"
