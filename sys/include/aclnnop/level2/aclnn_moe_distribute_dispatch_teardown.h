#include "../aclnn_moe_distribute_dispatch_teardown.h"
