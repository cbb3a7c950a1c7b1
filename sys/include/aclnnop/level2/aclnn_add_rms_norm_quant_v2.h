#include "../aclnn_add_rms_norm_quant_v2.h"
