#include "../aclnn_logical_not.h"
