#include "../aclnn_asinh_with_agent.h"
