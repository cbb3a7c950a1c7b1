#include "../aclnn_reduce_min_v2.h"
