#include "../aclnn_rms_norm_grad_quant.h"
