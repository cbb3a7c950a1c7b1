#include "../aclnn_upsample_bilinear_2d.h"
