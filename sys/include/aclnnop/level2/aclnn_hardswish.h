#include "../aclnn_hardswish.h"
