#include "../aclnn_cummax.h"
