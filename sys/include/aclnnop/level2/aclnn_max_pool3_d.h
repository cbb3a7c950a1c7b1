#include "../aclnn_max_pool3_d.h"
