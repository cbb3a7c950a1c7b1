#include "../aclnn_lgamma.h"
