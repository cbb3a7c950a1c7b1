#include "../aclnn_swiglu_group.h"
