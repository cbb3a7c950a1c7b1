#include "../aclnn_quant_reduce_scatter.h"
