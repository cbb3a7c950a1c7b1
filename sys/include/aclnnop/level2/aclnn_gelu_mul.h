#include "../aclnn_gelu_mul.h"
