#include "../aclnn_apply_adam_w_v2.h"
