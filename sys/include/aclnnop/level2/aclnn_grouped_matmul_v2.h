#include "../aclnn_grouped_matmul_v2.h"
