#include "../aclnn_take.h"
