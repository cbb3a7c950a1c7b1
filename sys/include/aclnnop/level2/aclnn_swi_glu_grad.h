#include "../aclnn_swi_glu_grad.h"
