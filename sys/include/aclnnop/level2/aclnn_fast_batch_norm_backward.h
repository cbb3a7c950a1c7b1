#include "../aclnn_fast_batch_norm_backward.h"
