#include "drive/atspi_calls.h"

#ifdef DEJANK_ATSPI

#include <dlfcn.h>
#include <stdbool.h>

static const struct {
    const char *name;
    size_t offset;
} names[] = {
#define ROW(NAME) {#NAME, offsetof(struct dj_atspi_calls, NAME)},
    DJ_ATSPI_CALLS(ROW)
#undef ROW
};

static int load(struct dj_atspi_calls *calls, struct dj_error *err)
{
    void *library = dlopen("libatspi.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "trees of views of this machine need libatspi2.0-0: %s",
                            dlerror());
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        /* Those of glib, too: it is the library's own. */
        void *found = dlsym(library, names[i].name);
        if (found == NULL) {
            return dj_error_set(err, DJ_E_UNSUPPORTED, "libatspi has no %s",
                                names[i].name);
        }
        memcpy((char *)calls + names[i].offset, &found, sizeof(found));
    }
    return 0;
}

int dj_atspi_load(const struct dj_atspi_calls **calls, struct dj_error *err)
{
    static struct dj_atspi_calls loaded;
    static bool whole;
    int code = whole ? 0 : load(&loaded, err);
    whole = code == 0;
    *calls = &loaded;
    return code;
}

#endif
