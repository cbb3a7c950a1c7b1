#include "../aclnn_foreach_addcmul_scalar_v2.h"
