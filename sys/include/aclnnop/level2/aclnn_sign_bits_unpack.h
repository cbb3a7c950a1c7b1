#include "../aclnn_sign_bits_unpack.h"
