#include "../aclnn_repeat_interleave_grad.h"
