#include "../aclnn_flip.h"
