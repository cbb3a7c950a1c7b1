#include "../aclnn_interleave_rope.h"
