#include "../aclnn_fused_mul_add_n.h"
