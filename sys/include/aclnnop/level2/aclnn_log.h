#include "../aclnn_log.h"
