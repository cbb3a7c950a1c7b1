#include "../aclnn_trans_quant_param_v2.h"
