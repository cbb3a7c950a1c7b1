#include "../aclnn_exp.h"
