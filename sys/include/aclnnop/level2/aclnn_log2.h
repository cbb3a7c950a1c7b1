#include "../aclnn_log2.h"
