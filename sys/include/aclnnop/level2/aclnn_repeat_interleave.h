#include "../aclnn_repeat_interleave.h"
