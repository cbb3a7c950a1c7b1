#include "../aclnn_nsa_selected_attention_infer.h"
