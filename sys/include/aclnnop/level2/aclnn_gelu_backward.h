#include "../aclnn_gelu_backward.h"
