#include "../aclnn_group_norm_backward.h"
