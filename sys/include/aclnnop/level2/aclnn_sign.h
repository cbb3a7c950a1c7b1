#include "../aclnn_sign.h"
