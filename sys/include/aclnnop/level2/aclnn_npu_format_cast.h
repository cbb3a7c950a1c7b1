#include "../aclnn_npu_format_cast.h"
