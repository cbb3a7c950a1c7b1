#include "../aclnn_max_pool_v3.h"
