#include "../aclnn_upsample_nearest_exact2d.h"
