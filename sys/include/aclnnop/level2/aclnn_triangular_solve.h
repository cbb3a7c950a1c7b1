#include "../aclnn_triangular_solve.h"
