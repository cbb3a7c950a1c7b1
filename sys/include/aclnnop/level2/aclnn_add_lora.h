#include "../aclnn_add_lora.h"
