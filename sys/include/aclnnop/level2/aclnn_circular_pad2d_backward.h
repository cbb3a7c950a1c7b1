#include "../aclnn_circular_pad2d_backward.h"
