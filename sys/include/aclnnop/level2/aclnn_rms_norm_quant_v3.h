#include "../aclnn_rms_norm_quant_v3.h"
