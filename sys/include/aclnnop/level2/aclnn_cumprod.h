#include "../aclnn_cumprod.h"
