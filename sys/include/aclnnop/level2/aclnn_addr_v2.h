#include "../aclnn_addr_v2.h"
