#include "../aclnn_unique_consecutive.h"
