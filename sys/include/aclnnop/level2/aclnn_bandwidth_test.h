#include "../aclnn_bandwidth_test.h"
