#include "../aclnn_moe_distribute_dispatch_v4.h"
