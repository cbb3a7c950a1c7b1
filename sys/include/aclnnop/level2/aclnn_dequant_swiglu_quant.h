#include "../aclnn_dequant_swiglu_quant.h"
