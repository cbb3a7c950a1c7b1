#include "../aclnn_all_gather_matmul_v2.h"
