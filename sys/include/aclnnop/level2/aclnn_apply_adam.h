#include "../aclnn_apply_adam.h"
