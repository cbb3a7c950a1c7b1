#include "../aclnn_roi_align.h"
