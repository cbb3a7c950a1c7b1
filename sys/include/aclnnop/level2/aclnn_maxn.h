#include "../aclnn_maxn.h"
