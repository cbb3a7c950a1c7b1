#include "../aclnn_ones.h"
