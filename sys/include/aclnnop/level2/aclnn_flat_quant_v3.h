#include "../aclnn_flat_quant_v3.h"
