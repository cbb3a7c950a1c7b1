#include "../aclnn_avgpool2d_backward.h"
