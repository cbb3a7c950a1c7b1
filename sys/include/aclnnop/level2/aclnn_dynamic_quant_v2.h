#include "../aclnn_dynamic_quant_v2.h"
