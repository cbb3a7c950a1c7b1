#include "../aclnn_batch_norm_backward.h"
