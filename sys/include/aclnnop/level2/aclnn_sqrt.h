#include "../aclnn_sqrt.h"
