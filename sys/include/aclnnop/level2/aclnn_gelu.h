#include "../aclnn_gelu.h"
