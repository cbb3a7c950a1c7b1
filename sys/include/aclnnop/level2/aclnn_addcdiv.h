#include "../aclnn_addcdiv.h"
