#include "../aclnn_chunk_cat.h"
