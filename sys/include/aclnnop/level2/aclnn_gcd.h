#include "../aclnn_gcd.h"
