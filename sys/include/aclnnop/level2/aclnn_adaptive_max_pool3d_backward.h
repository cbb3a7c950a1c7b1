#include "../aclnn_adaptive_max_pool3d_backward.h"
