#include "../aclnn_foreach_addcdiv_scalar_v2.h"
