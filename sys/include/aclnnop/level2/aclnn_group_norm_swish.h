#include "../aclnn_group_norm_swish.h"
