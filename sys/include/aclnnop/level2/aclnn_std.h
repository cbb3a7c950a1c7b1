#include "../aclnn_std.h"
