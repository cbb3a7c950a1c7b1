#include "../aclnn_dynamic_quant_v4.h"
