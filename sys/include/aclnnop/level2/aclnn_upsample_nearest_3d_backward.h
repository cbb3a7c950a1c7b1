#include "../aclnn_upsample_nearest_3d_backward.h"
