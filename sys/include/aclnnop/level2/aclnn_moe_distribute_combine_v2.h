#include "../aclnn_moe_distribute_combine_v2.h"
