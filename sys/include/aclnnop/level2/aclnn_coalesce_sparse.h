#include "../aclnn_coalesce_sparse.h"
