#include "../aclnn_grouped_matmul_weight_nz.h"
