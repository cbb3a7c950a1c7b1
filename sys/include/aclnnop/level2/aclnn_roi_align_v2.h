#include "../aclnn_roi_align_v2.h"
