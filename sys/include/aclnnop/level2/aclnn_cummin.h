#include "../aclnn_cummin.h"
