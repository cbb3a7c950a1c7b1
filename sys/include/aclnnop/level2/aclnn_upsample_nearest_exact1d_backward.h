#include "../aclnn_upsample_nearest_exact1d_backward.h"
