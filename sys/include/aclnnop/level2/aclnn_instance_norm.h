#include "../aclnn_instance_norm.h"
