#include "../aclnn_foreach_log_inplace.h"
