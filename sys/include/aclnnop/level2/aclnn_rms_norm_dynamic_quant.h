#include "../aclnn_rms_norm_dynamic_quant.h"
