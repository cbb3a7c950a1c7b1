#include "../aclnn_group_norm_silu.h"
