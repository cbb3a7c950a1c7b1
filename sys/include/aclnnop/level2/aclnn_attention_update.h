#include "../aclnn_attention_update.h"
