#include "../aclnn_fused_matmul.h"
