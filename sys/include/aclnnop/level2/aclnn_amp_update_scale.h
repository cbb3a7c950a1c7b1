#include "../aclnn_amp_update_scale.h"
