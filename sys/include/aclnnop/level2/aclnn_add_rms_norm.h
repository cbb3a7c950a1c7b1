#include "../aclnn_add_rms_norm.h"
