#include "../aclnn_swish_backward.h"
