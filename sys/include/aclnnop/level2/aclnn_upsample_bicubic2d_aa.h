#include "../aclnn_upsample_bicubic2d_aa.h"
