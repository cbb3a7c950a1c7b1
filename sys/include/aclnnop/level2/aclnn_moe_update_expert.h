#include "../aclnn_moe_update_expert.h"
