#include "../aclnn_adaptive_max_pool2d.h"
