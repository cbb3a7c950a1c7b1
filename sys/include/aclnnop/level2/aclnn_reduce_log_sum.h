#include "../aclnn_reduce_log_sum.h"
