#include "../aclnn_max_unpool2d.h"
