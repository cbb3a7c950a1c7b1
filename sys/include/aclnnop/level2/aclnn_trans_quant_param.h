#include "../aclnn_trans_quant_param.h"
