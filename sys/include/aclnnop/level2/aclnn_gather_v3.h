#include "../aclnn_gather_v3.h"
