#include "../aclnn_upsample_bicubic2d_aa_grad.h"
