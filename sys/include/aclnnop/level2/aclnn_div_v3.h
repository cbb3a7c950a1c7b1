#include "../aclnn_div_v3.h"
