#include "../aclnn_moe_distribute_buffer_reset.h"
