#include "../aclnn_max_unpool3d.h"
