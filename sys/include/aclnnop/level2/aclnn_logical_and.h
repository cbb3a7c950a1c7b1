#include "../aclnn_logical_and.h"
