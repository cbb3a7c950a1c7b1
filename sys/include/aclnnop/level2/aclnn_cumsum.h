#include "../aclnn_cumsum.h"
