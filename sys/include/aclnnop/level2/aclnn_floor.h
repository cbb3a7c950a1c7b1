#include "../aclnn_floor.h"
