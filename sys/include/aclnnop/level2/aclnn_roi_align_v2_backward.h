#include "../aclnn_roi_align_v2_backward.h"
