#include "../aclnn_bitwise_and_tensor.h"
