#include "../aclnn_allto_all_matmul.h"
