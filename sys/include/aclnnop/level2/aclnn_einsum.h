#include "../aclnn_einsum.h"
