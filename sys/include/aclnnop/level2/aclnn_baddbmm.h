#include "../aclnn_baddbmm.h"
