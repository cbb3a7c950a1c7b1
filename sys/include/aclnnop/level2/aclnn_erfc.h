#include "../aclnn_erfc.h"
