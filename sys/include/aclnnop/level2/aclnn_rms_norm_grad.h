#include "../aclnn_rms_norm_grad.h"
