#include "../aclnn_add_rms_norm_dynamic_quant_v2.h"
