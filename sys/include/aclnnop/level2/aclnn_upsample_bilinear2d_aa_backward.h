#include "../aclnn_upsample_bilinear2d_aa_backward.h"
