/* Macros for the files that define hooks. */
#ifndef DEJANK_HOOKS_EXPORT_H
#define DEJANK_HOOKS_EXPORT_H

#include <stdint.h>

#include "hooks/hooks.h"

#define EXPORT __attribute__((visibility("default")))

/* For the body of a hook: the address that called it, its stack position, and the real
 * function. */
#define CALLER __builtin_return_address(0)
#define STACK ((uintptr_t)__builtin_frame_address(0))
#define REAL(name) ((__typeof__(name) *)dj_real(DJ_HOOK_##name, CALLER))

/* A hook of a library without a header in this build has no previous declaration. A
 * prototype would only repeat the definition. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#endif
