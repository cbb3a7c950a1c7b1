#include "../aclnn_max_unpool3d_backward.h"
