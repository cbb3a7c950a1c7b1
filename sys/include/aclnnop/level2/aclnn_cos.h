#include "../aclnn_cos.h"
