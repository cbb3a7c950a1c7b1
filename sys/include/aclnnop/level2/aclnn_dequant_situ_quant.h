#include "../aclnn_dequant_situ_quant.h"
