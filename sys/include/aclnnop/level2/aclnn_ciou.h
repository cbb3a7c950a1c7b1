#include "../aclnn_ciou.h"
