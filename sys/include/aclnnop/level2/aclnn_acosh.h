#include "../aclnn_acosh.h"
