#include "../aclnn_digamma.h"
