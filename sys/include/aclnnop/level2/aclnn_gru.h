#include "../aclnn_gru.h"
