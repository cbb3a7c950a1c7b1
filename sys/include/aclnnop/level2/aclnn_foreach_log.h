#include "../aclnn_foreach_log.h"
