#include "../aclnn_pad2d_backward.h"
