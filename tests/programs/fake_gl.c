/* A fake libGL for tests of the recorder that need no display. A swap only sets errno
 * to `fake_gl_errno`. A frame costs almost nothing, and any thread or process may
 * present it. */
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
