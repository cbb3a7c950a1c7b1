#include "../aclnn_batch_norm_elemt_backward.h"
