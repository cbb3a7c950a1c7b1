#include "../aclnn_silu_mul.h"
