/* Makes the preloaded object use only symbols that glibc 2.31 has, because the object
 * must load in containers of Debian 11, Ubuntu 20.04 or RHEL 8. The build passes
 * --wrap=NAME to the linker for each function in old_glibc.c and in
 * hooks/old_glibc_dl.c, so that calls of NAME go to __wrap_NAME. */
#ifndef DEJANK_RECORDER_OLD_GLIBC_H
#define DEJANK_RECORDER_OLD_GLIBC_H

#if defined(__x86_64__)
#define DJ_FIRST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define DJ_FIRST_GLIBC "GLIBC_2.17"
#else
#error "the first version of glibc's symbols is known for x86-64 and arm64"
#endif

/* No header declares the functions __wrap_NAME, because only the linker refers to
 * them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Declares first_NAME, which is the function NAME in the symbol version of the
 * architecture's first glibc. */
#define DJ_FIRST_VERSION(name, ...)                                                      \
    extern __typeof__(name) first_##name __VA_ARGS__;                                    \
    __asm__(".symver first_" #name "," #name "@" DJ_FIRST_GLIBC)

#endif
