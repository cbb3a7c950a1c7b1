#include "../aclnn_max_v2.h"
