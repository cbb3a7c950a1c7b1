#include "../aclnn_upsample_bilinear_2d_backward_v2.h"
