#include "../aclnn_bitwise_or_tensor.h"
