#include "../aclnn_avgpool3d_backward.h"
