#include "../aclnn_foreach_log10.h"
