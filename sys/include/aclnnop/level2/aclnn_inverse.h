#include "../aclnn_inverse.h"
