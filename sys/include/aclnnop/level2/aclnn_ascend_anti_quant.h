#include "../aclnn_ascend_anti_quant.h"
