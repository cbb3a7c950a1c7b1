#include "../aclnn_upsample_nearest_2d_v2.h"
