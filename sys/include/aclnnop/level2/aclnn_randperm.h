#include "../aclnn_randperm.h"
