#include "../aclnn_gather_nd.h"
