#include "../aclnn_max_pool3d_with_argmax_backward.h"
