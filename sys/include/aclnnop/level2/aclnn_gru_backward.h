#include "../aclnn_gru_backward.h"
