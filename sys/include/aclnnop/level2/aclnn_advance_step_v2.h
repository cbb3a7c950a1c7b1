#include "../aclnn_advance_step_v2.h"
