#include "../aclnn_silent_check_v2.h"
