#include "../aclnn_apply_adam_w_quant.h"
