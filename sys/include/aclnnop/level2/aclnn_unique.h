#include "../aclnn_unique.h"
