#include "../aclnn_gather_v2.h"
