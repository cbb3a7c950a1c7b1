#include "../aclnn_truncate_mod.h"
