#include "../aclnn_argmin.h"
