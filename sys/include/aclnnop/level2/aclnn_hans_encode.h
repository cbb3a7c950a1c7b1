#include "../aclnn_hans_encode.h"
