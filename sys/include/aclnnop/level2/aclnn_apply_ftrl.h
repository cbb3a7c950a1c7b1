#include "../aclnn_apply_ftrl.h"
