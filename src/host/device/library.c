#include "device/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int load_functions(const struct dj_library *library, struct dj_error *err)
{
    void *handle = dlopen(library->soname, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return dj_error_set(
            err, DJ_E_UNSUPPORTED, "%s need %s; run: apt-get install %s (%s)",
            library->needed_by, library->soname, library->package, dlerror());
    }
    for (size_t i = 0; i < library->count; i++) {
        void *found = dlsym(handle, library->names[i]);
        if (found == NULL) {
            dlclose(handle);
            return dj_error_set(err, DJ_E_UNSUPPORTED,
                                "%s need a newer version of %s: the installed version "
                                "lacks the function %s",
                                library->needed_by, library->soname, library->names[i]);
        }
        memcpy((char *)library->pointers + i * sizeof(found), &found, sizeof(found));
    }
    return 0;
}

int dj_device_library_load(struct dj_library *library, struct dj_error *err)
{
    pthread_mutex_lock(&one_at_a_time);
    int code = library->loaded ? 0 : load_functions(library, err);
    library->loaded = code == 0;
    pthread_mutex_unlock(&one_at_a_time);
    return code;
}
