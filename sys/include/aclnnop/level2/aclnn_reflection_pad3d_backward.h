#include "../aclnn_reflection_pad3d_backward.h"
