#include "../aclnn_tril.h"
