#include "../aclnn_log1p.h"
