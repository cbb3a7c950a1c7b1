#include "../aclnn_masked_scale.h"
