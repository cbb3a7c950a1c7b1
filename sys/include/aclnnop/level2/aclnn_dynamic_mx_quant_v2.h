#include "../aclnn_dynamic_mx_quant_v2.h"
