#include "../aclnn_iou.h"
