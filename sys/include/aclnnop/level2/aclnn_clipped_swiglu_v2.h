#include "../aclnn_clipped_swiglu_v2.h"
