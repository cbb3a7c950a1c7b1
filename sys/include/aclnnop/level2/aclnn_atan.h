#include "../aclnn_atan.h"
