#include "../aclnn_stack.h"
