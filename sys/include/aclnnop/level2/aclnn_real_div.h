#include "../aclnn_real_div.h"
