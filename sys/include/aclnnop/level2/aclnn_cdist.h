#include "../aclnn_cdist.h"
