#include "../aclnn_maximum.h"
