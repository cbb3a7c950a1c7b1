#include "../aclnn_addr.h"
