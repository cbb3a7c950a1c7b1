#include "../aclnn_linalg_qr.h"
