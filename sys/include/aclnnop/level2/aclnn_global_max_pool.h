#include "../aclnn_global_max_pool.h"
