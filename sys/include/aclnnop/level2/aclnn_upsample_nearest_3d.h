#include "../aclnn_upsample_nearest_3d.h"
