#include "../aclnn_quant_convolution.h"
