#include "../aclnn_batch_matmul_reduce_scatter_all_to_all.h"
