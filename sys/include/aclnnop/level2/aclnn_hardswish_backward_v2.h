#include "../aclnn_hardswish_backward_v2.h"
