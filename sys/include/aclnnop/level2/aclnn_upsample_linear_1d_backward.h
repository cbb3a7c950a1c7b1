#include "../aclnn_upsample_linear_1d_backward.h"
