#include "../aclnn_any.h"
