#include "../aclnn_upsample_trilinear_3d_backward.h"
