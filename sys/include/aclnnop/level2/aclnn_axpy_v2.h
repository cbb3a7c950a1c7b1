#include "../aclnn_axpy_v2.h"
