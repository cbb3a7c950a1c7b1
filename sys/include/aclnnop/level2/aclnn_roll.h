#include "../aclnn_roll.h"
