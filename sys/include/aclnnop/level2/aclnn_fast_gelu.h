#include "../aclnn_fast_gelu.h"
