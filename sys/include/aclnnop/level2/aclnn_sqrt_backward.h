#include "../aclnn_sqrt_backward.h"
