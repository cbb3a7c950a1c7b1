#include "../aclnn_distribute_barrier_v2.h"
