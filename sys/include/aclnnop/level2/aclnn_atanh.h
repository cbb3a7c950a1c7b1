#include "../aclnn_atanh.h"
