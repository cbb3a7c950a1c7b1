#include "../aclnn_global_average_pool.h"
