#include "../aclnn_repeat.h"
