#include "../aclnn_foreach_mul_scalar_inplace.h"
