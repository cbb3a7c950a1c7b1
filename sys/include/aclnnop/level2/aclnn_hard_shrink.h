#include "../aclnn_hard_shrink.h"
