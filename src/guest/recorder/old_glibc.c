#include "recorder/old_glibc.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>

#if defined(__x86_64__)
/* The value of _STAT_VER_LINUX, which newer headers of glibc do not define. */
enum { STAT_VERSION = 1 };
#else
enum { STAT_VERSION = 0 };
#endif

/* The references are weak, because glibc before 2.34 has these functions in
 * libpthread, which a program may not load. */
DJ_FIRST_VERSION(pthread_key_create, __attribute__((weak)));
DJ_FIRST_VERSION(pthread_setspecific, __attribute__((weak)));

int __wrap_pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    return first_pthread_key_create != NULL ? first_pthread_key_create(key, destroy)
                                            : ENOSYS;
}

int __wrap_pthread_setspecific(pthread_key_t key, const void *value)
{
    return first_pthread_setspecific != NULL ? first_pthread_setspecific(key, value)
                                             : ENOSYS;
}

/* stat() and similar functions are symbols only since glibc 2.33. Code that was built
 * with older headers calls the functions below instead, and passes the version of struct
 * stat. All releases of glibc have these functions. */
int __xstat64(int version, const char *path, struct stat *status);
int __lxstat64(int version, const char *path, struct stat *status);
int __fxstat64(int version, int fd, struct stat *status);
int __fxstatat64(int version, int directory, const char *path, struct stat *status,
                 int flags);

int __wrap_stat64(const char *path, struct stat *status)
{
    return __xstat64(STAT_VERSION, path, status);
}

int __wrap_lstat64(const char *path, struct stat *status)
{
    return __lxstat64(STAT_VERSION, path, status);
}

int __wrap_fstat64(int fd, struct stat *status)
{
    return __fxstat64(STAT_VERSION, fd, status);
}

int __wrap_fstatat64(int directory, const char *path, struct stat *status, int flags)
{
    return __fxstatat64(STAT_VERSION, directory, path, status, flags);
}
