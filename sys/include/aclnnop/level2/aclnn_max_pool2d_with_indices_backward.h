#include "../aclnn_max_pool2d_with_indices_backward.h"
