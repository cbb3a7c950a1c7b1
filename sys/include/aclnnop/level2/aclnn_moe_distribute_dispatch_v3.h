#include "../aclnn_moe_distribute_dispatch_v3.h"
