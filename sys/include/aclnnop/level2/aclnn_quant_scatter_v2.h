#include "../aclnn_quant_scatter_v2.h"
