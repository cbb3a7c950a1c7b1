#include "../aclnn_max_pool.h"
