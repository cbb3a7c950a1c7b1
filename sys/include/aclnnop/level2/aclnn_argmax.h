#include "../aclnn_argmax.h"
