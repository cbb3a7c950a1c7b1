#include "../aclnn_trunc.h"
