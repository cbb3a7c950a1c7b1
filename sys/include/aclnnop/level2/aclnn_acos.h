#include "../aclnn_acos.h"
