#include "../aclnn_swi_glu_quant.h"
