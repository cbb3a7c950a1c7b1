#include "../aclnn_adaptive_avg_pool2d_backward.h"
