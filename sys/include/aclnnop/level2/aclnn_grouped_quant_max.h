#include "../aclnn_grouped_quant_max.h"
