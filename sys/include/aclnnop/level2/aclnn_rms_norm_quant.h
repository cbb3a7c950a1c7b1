#include "../aclnn_rms_norm_quant.h"
