#include "../aclnn_flat_quant.h"
