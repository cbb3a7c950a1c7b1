#include "../aclnn_nsa_compress_grad.h"
