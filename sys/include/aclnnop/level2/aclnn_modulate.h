#include "../aclnn_modulate.h"
