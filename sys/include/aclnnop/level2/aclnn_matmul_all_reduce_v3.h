#include "../aclnn_matmul_all_reduce_v3.h"
