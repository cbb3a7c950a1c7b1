#include "../aclnn_bitwise_or_scalar.h"
