#include "../aclnn_qr.h"
