#include "../aclnn_roi_align_backward.h"
