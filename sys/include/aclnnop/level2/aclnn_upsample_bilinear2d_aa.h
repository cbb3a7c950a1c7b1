#include "../aclnn_upsample_bilinear2d_aa.h"
