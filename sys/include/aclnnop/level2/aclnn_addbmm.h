#include "../aclnn_addbmm.h"
