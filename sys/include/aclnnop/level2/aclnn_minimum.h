#include "../aclnn_minimum.h"
