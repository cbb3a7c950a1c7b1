#include "../aclnn_clipped_swiglu_grad.h"
