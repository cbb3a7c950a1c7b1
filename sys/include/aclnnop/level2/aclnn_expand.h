#include "../aclnn_expand.h"
