#include "../aclnn_matmul_all_reduce.h"
