#include "../aclnn_threshold_backward.h"
