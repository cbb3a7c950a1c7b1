#include "../aclnn_softshrink.h"
