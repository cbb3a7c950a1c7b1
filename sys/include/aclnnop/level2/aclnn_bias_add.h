#include "../aclnn_bias_add.h"
