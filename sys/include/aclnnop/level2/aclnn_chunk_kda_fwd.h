#include "../aclnn_chunk_kda_fwd.h"
