#include "../aclnn_quant_scatter.h"
