/* The functions of the dynamic linker, which are in libdl before glibc 2.34. */
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

/* RTLD_NEXT is relative to this object for every call in it. */
void *__wrap_dlvsym(void *handle, const char *name, const char *version)
{
    return first_dlvsym(handle, name, version);
}
