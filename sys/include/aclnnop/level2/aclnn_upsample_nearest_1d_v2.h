#include "../aclnn_upsample_nearest_1d_v2.h"
