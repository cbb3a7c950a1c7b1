#include "../aclnn_complex.h"
