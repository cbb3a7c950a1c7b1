#include "../aclnn_bitwise_xor_scalar.h"
