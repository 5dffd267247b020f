#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "device/library.h"

/* Functions of the C library, which is always present. */
#define FUNCTIONS(ROW)                                                                   \
    ROW(getpid)                                                                          \
    ROW(strlen)

struct calls {
    FUNCTIONS(DJ_LIBRARY_POINTER)
};

static const char *const names[] = {FUNCTIONS(DJ_LIBRARY_NAME)};
static const char *const too_new[] = {"getpid", "dejank_in_two_years"};

static struct dj_library of_libc(struct calls *calls)
{
    return (struct dj_library){
        .soname = "libc.so.6",
        .package = "libc6",
        .needed_by = "tests",
        .names = names,
        .count = sizeof(names) / sizeof(names[0]),
        .pointers = calls,
    };
}

Test(library, loading_sets_the_function_pointers)
{
    struct calls calls = {0};
    struct dj_library library = of_libc(&calls);
    struct dj_error err = {0};
    cr_assert_eq(dj_device_library_load(&library, &err), 0, "%s", err.message);
    cr_assert_eq(calls.getpid(), getpid());
    cr_assert_eq(calls.strlen("four"), 4);
}

Test(library, a_library_is_loaded_once)
{
    struct calls calls = {0};
    struct dj_library library = of_libc(&calls);
    cr_assert_eq(dj_device_library_load(&library, NULL), 0);
    calls.strlen = NULL;
    library.soname = "libdejank-is-not-looked-for.so.0";
    cr_assert_eq(dj_device_library_load(&library, NULL), 0);
    cr_assert_null(calls.strlen);
}

Test(library, the_error_names_the_library_and_the_feature)
{
    struct calls calls = {0};
    struct dj_library library = of_libc(&calls);
    struct dj_error err = {0};
    library.soname = "libdejank-is-nowhere.so.7";
    library.package = "libdejank7";
    cr_assert_eq(dj_device_library_load(&library, &err), DJ_E_UNSUPPORTED);
    cr_assert(strstr(err.message, "tests need libdejank-is-nowhere.so.7; run: apt-get "
                                  "install libdejank7 (") == err.message,
              "%s", err.message);
    cr_assert_not_null(strstr(err.message, "No such file"), "%s", err.message);
    cr_assert_null(calls.getpid);
    cr_assert_eq(dj_device_library_load(&library, NULL), DJ_E_UNSUPPORTED);
}

/* The library is installed after the first call. */
Test(library, the_next_call_tries_again)
{
    struct calls calls = {0};
    struct dj_library library = of_libc(&calls);
    library.soname = "libdejank-is-nowhere.so.7";
    cr_assert_eq(dj_device_library_load(&library, NULL), DJ_E_UNSUPPORTED);
    library.soname = "libc.so.6";
    cr_assert_eq(dj_device_library_load(&library, NULL), 0);
    cr_assert_eq(calls.getpid(), getpid());
}

Test(library, a_library_without_a_function_is_too_old)
{
    struct calls calls = {0};
    struct dj_library library = of_libc(&calls);
    struct dj_error err = {0};
    library.names = too_new;
    cr_assert_eq(dj_device_library_load(&library, &err), DJ_E_UNSUPPORTED);
    cr_assert_str_eq(err.message,
                     "tests need a newer version of libc.so.6: the "
                     "installed version lacks the function dejank_in_two_years");
    cr_assert_eq(dj_device_library_load(&library, NULL), DJ_E_UNSUPPORTED);
}
