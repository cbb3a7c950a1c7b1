#include "../aclnn_trace.h"
