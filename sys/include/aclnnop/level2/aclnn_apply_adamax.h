#include "../aclnn_apply_adamax.h"
