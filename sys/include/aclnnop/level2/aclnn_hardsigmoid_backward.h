#include "../aclnn_hardsigmoid_backward.h"
