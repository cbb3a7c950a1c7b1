#include "../aclnn_kthvalue.h"
