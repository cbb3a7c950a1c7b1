#include "../aclnn_clamp.h"
