#include "../aclnn_hardswish_backward.h"
