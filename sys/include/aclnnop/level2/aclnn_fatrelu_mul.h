#include "../aclnn_fatrelu_mul.h"
