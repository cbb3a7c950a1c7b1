#include "../aclnn_sum_v2.h"
