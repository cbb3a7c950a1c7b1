#include "../aclnn_adaptive_avg_pool3d.h"
