#include "../aclnn_foreach_pow_scalar_and_tensor.h"
