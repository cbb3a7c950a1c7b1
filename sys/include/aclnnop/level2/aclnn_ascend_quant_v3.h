#include "../aclnn_ascend_quant_v3.h"
