#include "../aclnn_diag.h"
