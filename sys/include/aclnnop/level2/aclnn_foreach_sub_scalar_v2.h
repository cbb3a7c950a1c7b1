#include "../aclnn_foreach_sub_scalar_v2.h"
