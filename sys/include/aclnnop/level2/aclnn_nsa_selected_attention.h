#include "../aclnn_nsa_selected_attention.h"
