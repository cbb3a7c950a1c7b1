#include "../aclnn_apply_adam_d.h"
