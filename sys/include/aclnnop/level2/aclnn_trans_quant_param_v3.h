#include "../aclnn_trans_quant_param_v3.h"
