#include "../aclnn_xlog1py.h"
