#include "../aclnn_uniform.h"
