#include "../aclnn_hardshrink_backward.h"
