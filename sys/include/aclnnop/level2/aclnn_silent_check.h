#include "../aclnn_silent_check.h"
