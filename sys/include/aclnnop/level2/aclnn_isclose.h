#include "../aclnn_isclose.h"
