#include "../aclnn_foreach_log2.h"
