#include "../aclnn_max_unpool2d_backward.h"
