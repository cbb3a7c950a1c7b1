#include "../aclnn_moe_distribute_combine_teardown.h"
