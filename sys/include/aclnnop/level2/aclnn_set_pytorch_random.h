#include "../aclnn_set_pytorch_random.h"
