/* A libXrandr whose display's rate is known: 1000 × 500 dots, of a clock that makes 100
 * Hz for CRTC 1 and 50 Hz for CRTC 2. */
#include <X11/extensions/Xrandr.h>
#include <stdlib.h>

__attribute__((visibility("default"))) XRRCrtcInfo *
XRRGetCrtcInfo(Display *display, XRRScreenResources *resources, RRCrtc crtc)
{
    XRRCrtcInfo *info = calloc(1, sizeof(*info));
    (void)display;
    info->mode = resources->modes[crtc - 1].id;
    return info;
}
