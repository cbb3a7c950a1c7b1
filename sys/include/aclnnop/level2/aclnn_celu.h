#include "../aclnn_celu.h"
