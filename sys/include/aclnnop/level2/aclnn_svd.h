#include "../aclnn_svd.h"
