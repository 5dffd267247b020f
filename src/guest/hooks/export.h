/* Macros for the files that define hooks. */
#ifndef DEJANK_HOOKS_EXPORT_H
#define DEJANK_HOOKS_EXPORT_H

#include <stdint.h>

#include "hooks/hooks.h"

#define EXPORT __attribute__((visibility("default")))

/* In a hook: its caller, the caller's stack position, and the real function. */
#define CALLER __builtin_return_address(0)
#define STACK ((uintptr_t)__builtin_frame_address(0))
#define REAL(name) ((__typeof__(name) *)dj_real(DJ_HOOK_##name, CALLER))

/* Hooks of libraries without a header here have no declaration: a prototype would only
 * repeat the definition. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#endif
