#include "../aclnn_flat_quant_v2.h"
