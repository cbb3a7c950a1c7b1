#include "../aclnn_prelu.h"
