#include "plan/tree.h"

int dj_tree_read(const char *bytes, size_t length, struct dj_tree *tree,
                 struct dj_plan_faults *faults, struct dj_error *err)
{
    (void)bytes;
    (void)length;
    (void)faults;
    *tree = (struct dj_tree){0};
    return dj_error_set(err, DJ_E_UNSUPPORTED,
                        "this build has no libyaml, which plans need; run: apt-get "
                        "install libyaml-dev, then build again");
}
