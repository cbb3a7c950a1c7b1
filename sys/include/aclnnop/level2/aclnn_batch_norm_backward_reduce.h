#include "../aclnn_batch_norm_backward_reduce.h"
