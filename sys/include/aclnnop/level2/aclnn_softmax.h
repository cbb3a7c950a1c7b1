#include "../aclnn_softmax.h"
