#include "../aclnn_hardshrink.h"
