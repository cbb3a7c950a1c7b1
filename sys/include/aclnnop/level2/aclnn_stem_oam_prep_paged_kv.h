#include "../aclnn_stem_oam_prep_paged_kv.h"
