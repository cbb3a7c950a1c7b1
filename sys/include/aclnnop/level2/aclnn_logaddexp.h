#include "../aclnn_logaddexp.h"
