#include "../aclnn_dot.h"
