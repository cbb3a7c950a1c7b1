#include "../aclnn_addmv.h"
