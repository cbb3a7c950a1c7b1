#include "../aclnn_approximate_equal.h"
