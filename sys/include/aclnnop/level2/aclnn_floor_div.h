#include "../aclnn_floor_div.h"
