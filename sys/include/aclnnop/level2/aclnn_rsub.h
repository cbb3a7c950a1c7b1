#include "../aclnn_rsub.h"
