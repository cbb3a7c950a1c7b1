#include "../aclnn_dynamic_quant.h"
