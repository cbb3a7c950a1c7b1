#include "../aclnn_moe_distribute_combine_v3.h"
