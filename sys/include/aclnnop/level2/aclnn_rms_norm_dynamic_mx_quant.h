#include "../aclnn_rms_norm_dynamic_mx_quant.h"
