#include "../aclnn_binary_cross_entropy_backward.h"
