#include "../aclnn_isposinf.h"
