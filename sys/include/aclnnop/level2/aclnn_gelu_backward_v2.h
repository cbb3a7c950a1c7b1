#include "../aclnn_gelu_backward_v2.h"
