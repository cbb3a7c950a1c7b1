#include "../aclnn_upsample_nearest_1d_backward.h"
