#include "../aclnn_moe_distribute_combine.h"
