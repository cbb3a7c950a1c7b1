#include "../aclnn_swi_glu_quant_v2.h"
