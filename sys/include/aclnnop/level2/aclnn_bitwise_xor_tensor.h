#include "../aclnn_bitwise_xor_tensor.h"
