#include "../aclnn_matmul_all_reduce_v2.h"
