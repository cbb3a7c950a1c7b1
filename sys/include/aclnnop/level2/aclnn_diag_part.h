#include "../aclnn_diag_part.h"
