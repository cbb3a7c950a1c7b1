#include "../aclnn_avgpool3d.h"
