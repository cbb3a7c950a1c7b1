#include "../aclnn_matmul_reduce_scatter_v2.h"
