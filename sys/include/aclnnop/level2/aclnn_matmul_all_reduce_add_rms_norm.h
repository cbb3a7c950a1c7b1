#include "../aclnn_matmul_all_reduce_add_rms_norm.h"
