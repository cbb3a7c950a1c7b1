#include "../aclnn_foreach_mul_scalar.h"
