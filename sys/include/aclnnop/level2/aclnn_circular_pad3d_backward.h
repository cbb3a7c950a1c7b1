#include "../aclnn_circular_pad3d_backward.h"
