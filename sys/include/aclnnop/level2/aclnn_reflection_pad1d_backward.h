#include "../aclnn_reflection_pad1d_backward.h"
