#include "../aclnn_leaky_relu_backward.h"
