#include "../aclnn_floor_divide.h"
