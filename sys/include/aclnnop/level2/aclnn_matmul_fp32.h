#include "../aclnn_matmul_fp32.h"
