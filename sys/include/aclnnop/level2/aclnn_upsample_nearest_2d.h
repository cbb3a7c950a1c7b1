#include "../aclnn_upsample_nearest_2d.h"
