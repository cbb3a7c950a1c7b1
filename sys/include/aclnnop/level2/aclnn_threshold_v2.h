#include "../aclnn_threshold_v2.h"
