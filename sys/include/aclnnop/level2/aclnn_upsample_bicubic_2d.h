#include "../aclnn_upsample_bicubic_2d.h"
