#include "../aclnn_silu.h"
