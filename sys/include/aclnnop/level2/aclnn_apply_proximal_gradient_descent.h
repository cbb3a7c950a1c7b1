#include "../aclnn_apply_proximal_gradient_descent.h"
