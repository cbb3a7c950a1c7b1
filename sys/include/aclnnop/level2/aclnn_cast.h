#include "../aclnn_cast.h"
