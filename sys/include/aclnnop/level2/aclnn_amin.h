#include "../aclnn_amin.h"
