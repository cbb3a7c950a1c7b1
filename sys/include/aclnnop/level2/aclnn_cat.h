#include "../aclnn_cat.h"
