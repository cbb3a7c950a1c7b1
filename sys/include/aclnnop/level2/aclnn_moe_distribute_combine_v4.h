#include "../aclnn_moe_distribute_combine_v4.h"
