#include "../aclnn_anti_mx_quant.h"
