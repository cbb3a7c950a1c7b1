#include "../aclnn_grouped_dynamic_mx_quant.h"
