#include "../aclnn_apply_adam_w.h"
