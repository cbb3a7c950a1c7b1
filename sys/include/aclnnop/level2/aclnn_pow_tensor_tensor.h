#include "../aclnn_pow_tensor_tensor.h"
