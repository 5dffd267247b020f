/*
 * A libGL for tests of the recorder that need no display: its swap does nothing but leave
 * errno as `fake_gl_errno` says, so that a program's frames cost nothing and any thread
 * or process may present them.
 */
#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT extern int fake_gl_errno;
EXPORT void glXSwapBuffers(void *display, unsigned long drawable);

int fake_gl_errno;

void glXSwapBuffers(void *display, unsigned long drawable)
{
    (void)display;
    (void)drawable;
    errno = fake_gl_errno;
}
