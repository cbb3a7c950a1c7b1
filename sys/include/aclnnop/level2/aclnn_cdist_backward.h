#include "../aclnn_cdist_backward.h"
