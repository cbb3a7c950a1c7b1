#include "../aclnn_gelu_quant.h"
