#include "../aclnn_sin.h"
