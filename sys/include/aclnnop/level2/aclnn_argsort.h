#include "../aclnn_argsort.h"
