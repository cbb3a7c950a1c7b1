#include "../aclnn_quant_max.h"
