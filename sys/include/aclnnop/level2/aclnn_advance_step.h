#include "../aclnn_advance_step.h"
