#include "../aclnn_linalg_cholesky.h"
