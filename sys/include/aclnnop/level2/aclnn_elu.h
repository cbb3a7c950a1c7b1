#include "../aclnn_elu.h"
