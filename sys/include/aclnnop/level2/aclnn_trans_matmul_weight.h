#include "../aclnn_trans_matmul_weight.h"
