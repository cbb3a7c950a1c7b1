#include "../aclnn_ascend_quant.h"
