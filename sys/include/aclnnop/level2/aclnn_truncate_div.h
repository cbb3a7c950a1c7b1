#include "../aclnn_truncate_div.h"
