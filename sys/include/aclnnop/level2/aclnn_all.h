#include "../aclnn_all.h"
