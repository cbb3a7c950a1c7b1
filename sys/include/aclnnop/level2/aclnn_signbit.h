#include "../aclnn_signbit.h"
