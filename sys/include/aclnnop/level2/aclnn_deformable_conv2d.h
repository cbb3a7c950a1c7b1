#include "../aclnn_deformable_conv2d.h"
