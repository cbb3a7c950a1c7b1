#include "../aclnn_dynamic_mx_quant_v3.h"
