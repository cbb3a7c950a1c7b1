#include "../aclnn_situ_glu_grad.h"
