#include "../aclnn_rms_norm.h"
