#include "../aclnn_sign_bits_pack.h"
