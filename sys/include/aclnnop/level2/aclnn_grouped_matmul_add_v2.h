#include "../aclnn_grouped_matmul_add_v2.h"
