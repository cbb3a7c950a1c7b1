#include "../aclnn_nsa_compress_attention.h"
