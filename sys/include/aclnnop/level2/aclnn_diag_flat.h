#include "../aclnn_diag_flat.h"
