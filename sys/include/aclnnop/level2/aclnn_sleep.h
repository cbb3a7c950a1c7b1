#include "../aclnn_sleep.h"
