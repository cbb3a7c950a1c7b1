#include "../aclnn_matmul_reduce_scatter.h"
