#include "../aclnn_erfinv.h"
