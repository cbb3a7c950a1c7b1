#include "../aclnn_foreach_mul_scalar_v2.h"
