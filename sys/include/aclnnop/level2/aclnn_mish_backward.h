#include "../aclnn_mish_backward.h"
