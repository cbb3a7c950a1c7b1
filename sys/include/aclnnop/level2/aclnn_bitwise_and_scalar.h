#include "../aclnn_bitwise_and_scalar.h"
