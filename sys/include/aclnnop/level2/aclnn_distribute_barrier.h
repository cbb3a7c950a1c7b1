#include "../aclnn_distribute_barrier.h"
