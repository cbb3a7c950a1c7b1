#include "../aclnn_zero.h"
