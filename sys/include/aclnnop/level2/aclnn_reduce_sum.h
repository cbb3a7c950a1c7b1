#include "../aclnn_reduce_sum.h"
