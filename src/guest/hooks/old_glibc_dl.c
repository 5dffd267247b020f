/* Functions of the dynamic linker in the symbol versions of old glibc
 * (recorder/old_glibc.h). Before glibc 2.34 they are in libdl. */
#include <dlfcn.h>

#include "recorder/old_glibc.h"

DJ_FIRST_VERSION(dlopen, );
DJ_FIRST_VERSION(dlclose, );
DJ_FIRST_VERSION(dlerror, );
DJ_FIRST_VERSION(dladdr, );
DJ_FIRST_VERSION(dlvsym, );

void *__wrap_dlopen(const char *file, int mode)
{
    return first_dlopen(file, mode);
}

int __wrap_dlclose(void *handle)
{
    return first_dlclose(handle);
}

char *__wrap_dlerror(void)
{
    return first_dlerror();
}

int __wrap_dladdr(const void *address, Dl_info *info)
{
    return first_dladdr(address, info);
}

/* RTLD_NEXT in a call from any function of this object means the objects after this
 * one, so the wrapper does not change its meaning. */
void *__wrap_dlvsym(void *handle, const char *name, const char *version)
{
    return first_dlvsym(handle, name, version);
}
