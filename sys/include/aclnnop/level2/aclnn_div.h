#include "../aclnn_div.h"
