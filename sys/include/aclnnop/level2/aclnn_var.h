#include "../aclnn_var.h"
