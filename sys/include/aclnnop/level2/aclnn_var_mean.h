#include "../aclnn_var_mean.h"
