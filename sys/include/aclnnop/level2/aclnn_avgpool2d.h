#include "../aclnn_avgpool2d.h"
