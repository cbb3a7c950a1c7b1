#include "../aclnn_nsa_compress.h"
