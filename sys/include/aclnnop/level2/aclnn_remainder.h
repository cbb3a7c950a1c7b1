#include "../aclnn_remainder.h"
