#include "../aclnn_attention_to_ffn.h"
