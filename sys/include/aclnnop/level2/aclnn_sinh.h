#include "../aclnn_sinh.h"
