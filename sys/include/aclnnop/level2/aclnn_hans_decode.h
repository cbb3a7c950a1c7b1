#include "../aclnn_hans_decode.h"
