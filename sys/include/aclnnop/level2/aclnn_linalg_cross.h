#include "../aclnn_linalg_cross.h"
