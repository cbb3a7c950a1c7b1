#include "../aclnn_upsample_trilinear_3d.h"
