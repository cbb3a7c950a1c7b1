#include "../aclnn_scale.h"
