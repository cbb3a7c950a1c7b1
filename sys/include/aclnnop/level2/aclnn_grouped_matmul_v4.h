#include "../aclnn_grouped_matmul_v4.h"
