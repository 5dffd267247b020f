#include "hooks/confine.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "hooks/export.h"
#include "hooks/link_map.h"
#include "hooks/swaps.h"
#include "recorder/sections.h"

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

static enum dj_confinement get_prctl_kind(long option, long a, long b)
{
    if (option == PR_SET_TSC && a == PR_TSC_SIGSEGV) {
        return DJ_CONFINED_TICKS;
    }
    if (option != PR_SET_SECCOMP) {
        return DJ_NOT_CONFINED;
    }
    /* Without a filter, the call only tests whether the kernel supports filters. */
    return a == SECCOMP_MODE_STRICT             ? DJ_CONFINED_STRICT
           : a == SECCOMP_MODE_FILTER && b != 0 ? DJ_CONFINED_CALLS
                                                : DJ_NOT_CONFINED;
}

static enum dj_confinement get_seccomp_kind(long operation, long filter)
{
    return operation == SECCOMP_SET_MODE_STRICT                  ? DJ_CONFINED_STRICT
           : operation == SECCOMP_SET_MODE_FILTER && filter != 0 ? DJ_CONFINED_CALLS
                                                                 : DJ_NOT_CONFINED;
}

static enum dj_confinement get_kind(long number, long a, long b, long c)
{
    switch (number) {
    case SYS_prctl:
        return get_prctl_kind(a, b, c);
    case SYS_seccomp:
        return get_seccomp_kind(a, c);
    case SYS_landlock_restrict_self:
        return DJ_CONFINED_FILES;
    default:
        return DJ_NOT_CONFINED;
    }
}

static void prepare_hooks(void)
{
    dj_real_prepare();
    dj_swaps_prepare();
    /* The app uses libdejank, so its sections are known. */
    if (dj_link_map_defines("dejank_section_write")) {
        dj_recorder_prepare_sections();
    }
    /* Clears errors of these look-ups, because they are not errors of the app. */
    dlerror();
}

/* Returns true if a positive result of the call means that it failed. With
 * SECCOMP_FILTER_FLAG_TSYNC such a result is the id of a thread that could not be
 * confined. */
static bool is_positive_failure(long number, long operation, long flags)
{
    return number == SYS_seccomp && operation == SECCOMP_SET_MODE_FILTER &&
           (flags & SECCOMP_FILTER_FLAG_TSYNC) != 0 &&
           (flags & SECCOMP_FILTER_FLAG_NEW_LISTENER) == 0;
}

struct dj_confining dj_confine_begin(long number, long a, long b, long c)
{
    struct dj_confining confining = {.kind = get_kind(number, a, b, c)};
    int saved_errno = errno;
    if (confining.kind == DJ_NOT_CONFINED) {
        return confining;
    }
    confining.is_positive_failure = is_positive_failure(number, a, b);
    if (dj_recorder_may_prepare() && dj_recorder_may_look_up()) {
        prepare_hooks();
    }
    dj_recorder_confine(confining.kind, &confining.before);
    errno = saved_errno;
    return confining;
}

void dj_confine_end(const struct dj_confining *confining, long result)
{
    bool has_failed = result < 0 || (result > 0 && confining->is_positive_failure);
    if (confining->kind != DJ_NOT_CONFINED && has_failed) {
        dj_recorder_undo_confine(&confining->before);
    }
}

/* All arguments of prctl() are words, so the hook passes on four words, whatever their
 * types are. */
EXPORT int prctl(int option, ...)
{
    va_list arguments;
    va_start(arguments, option);
    long a = va_arg(arguments, long), b = va_arg(arguments, long),
         c = va_arg(arguments, long), d = va_arg(arguments, long);
    va_end(arguments);
    struct dj_confining confining = dj_confine_begin(SYS_prctl, option, a, b);
    int result = REAL(prctl)(option, a, b, c, d);
    dj_confine_end(&confining, result);
    return result;
}
