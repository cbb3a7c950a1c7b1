#include "../aclnn_constant_pad_nd.h"
