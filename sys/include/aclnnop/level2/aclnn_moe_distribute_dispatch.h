#include "../aclnn_moe_distribute_dispatch.h"
