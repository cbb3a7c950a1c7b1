#include "../aclnn_add_rms_norm_dynamic_mx_quant.h"
