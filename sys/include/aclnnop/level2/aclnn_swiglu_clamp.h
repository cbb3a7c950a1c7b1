#include "../aclnn_swiglu_clamp.h"
