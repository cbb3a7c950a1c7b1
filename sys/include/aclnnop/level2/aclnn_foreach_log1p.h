#include "../aclnn_foreach_log1p.h"
