#include "../aclnn_nsa_compress_attention_infer.h"
