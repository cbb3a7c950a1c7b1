#include "../aclnn_softplus.h"
