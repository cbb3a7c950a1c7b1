#include "../aclnn_square.h"
