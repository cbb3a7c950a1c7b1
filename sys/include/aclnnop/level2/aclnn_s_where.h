#include "../aclnn_s_where.h"
