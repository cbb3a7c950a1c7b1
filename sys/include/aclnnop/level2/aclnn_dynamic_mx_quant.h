#include "../aclnn_dynamic_mx_quant.h"
