#include "../aclnn_logspace.h"
