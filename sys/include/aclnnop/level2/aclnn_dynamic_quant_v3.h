#include "../aclnn_dynamic_quant_v3.h"
