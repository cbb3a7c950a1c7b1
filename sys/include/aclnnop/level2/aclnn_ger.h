#include "../aclnn_ger.h"
