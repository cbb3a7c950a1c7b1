#include "../aclnn_clipped_swiglu.h"
