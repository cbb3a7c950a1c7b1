#include "../aclnn_unfold_grad.h"
