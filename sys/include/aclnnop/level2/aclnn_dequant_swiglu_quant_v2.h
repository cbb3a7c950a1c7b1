#include "../aclnn_dequant_swiglu_quant_v2.h"
