#include "../aclnn_inplace_partial_rotary_mul.h"
