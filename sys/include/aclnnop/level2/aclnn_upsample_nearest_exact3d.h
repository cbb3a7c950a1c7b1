#include "../aclnn_upsample_nearest_exact3d.h"
