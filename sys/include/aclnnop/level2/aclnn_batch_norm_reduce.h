#include "../aclnn_batch_norm_reduce.h"
