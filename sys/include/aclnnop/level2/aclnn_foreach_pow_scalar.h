#include "../aclnn_foreach_pow_scalar.h"
