#include "../aclnn_linspace.h"
