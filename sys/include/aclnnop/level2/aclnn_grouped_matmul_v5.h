#include "../aclnn_grouped_matmul_v5.h"
