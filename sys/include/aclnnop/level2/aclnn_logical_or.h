#include "../aclnn_logical_or.h"
