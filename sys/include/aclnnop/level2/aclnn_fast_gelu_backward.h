#include "../aclnn_fast_gelu_backward.h"
