#include "store/open_existing.h"

#include <unistd.h>

#include "memory/memory.h"

int dj_store_open_existing(const char *path, struct dj_store **history,
                           struct dj_error *err)
{
    struct dj_text standard = {0};
    *history = NULL;
    if (path == NULL) {
        int code = dj_store_default_path(&standard, err);
        bool there = code == 0 && access(dj_xtext(&standard), F_OK) == 0;
        dj_text_finish(&standard);
        if (!there) {
            return code;
        }
    }
    return dj_store_open(path, DJ_STORE_READ, history, err);
}
