#include "../aclnn_fused_matmul_gelu.h"
