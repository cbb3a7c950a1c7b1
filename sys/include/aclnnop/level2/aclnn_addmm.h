#include "../aclnn_addmm.h"
