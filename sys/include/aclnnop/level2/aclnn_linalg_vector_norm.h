#include "../aclnn_linalg_vector_norm.h"
