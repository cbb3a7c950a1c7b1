#include "../aclnn_apply_gradient_descent.h"
