#include "../aclnn_upsample_nearest_1d.h"
