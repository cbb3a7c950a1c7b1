#include "../aclnn_adaptive_avg_pool2d.h"
