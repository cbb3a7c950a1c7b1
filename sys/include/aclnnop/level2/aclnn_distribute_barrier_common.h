#include "../aclnn_distribute_barrier_common.h"
