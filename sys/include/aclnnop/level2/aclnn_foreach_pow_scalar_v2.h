#include "../aclnn_foreach_pow_scalar_v2.h"
