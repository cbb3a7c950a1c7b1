#include "../aclnn_min.h"
