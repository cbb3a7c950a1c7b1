#include "../aclnn_grouped_matmul_v3.h"
