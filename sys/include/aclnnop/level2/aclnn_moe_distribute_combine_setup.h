#include "../aclnn_moe_distribute_combine_setup.h"
