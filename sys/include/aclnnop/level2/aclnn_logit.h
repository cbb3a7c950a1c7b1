#include "../aclnn_logit.h"
