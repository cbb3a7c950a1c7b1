#include "../aclnn_atan2.h"
