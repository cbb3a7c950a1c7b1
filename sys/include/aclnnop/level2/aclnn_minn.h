#include "../aclnn_minn.h"
