#include "../aclnn_logaddexp2.h"
