/* Macros for the files that define hooks. */
#ifndef DEJANK_HOOKS_EXPORT_H
#define DEJANK_HOOKS_EXPORT_H

#include <stdint.h>

#include "hooks/hooks.h"

#define EXPORT __attribute__((visibility("default")))

/* For the body of a hook: the return address in its caller, an address in its stack
 * frame, and the real function. */
#define CALLER __builtin_return_address(0)
#define STACK ((uintptr_t)__builtin_frame_address(0))
#define REAL(name) ((__typeof__(name) *)dj_real(DJ_HOOK_##name, CALLER))

/* The build has no headers of some hooked libraries, so hooks of these libraries have no
 * previous declaration. A prototype would only repeat the definition, so the warning is
 * disabled. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#endif
