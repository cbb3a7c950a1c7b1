#include "../aclnn_threshold.h"
