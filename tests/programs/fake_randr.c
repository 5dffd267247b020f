/* A libXrandr with known refresh rates. The mode has 1000 × 500 dots, and the dot
 * clocks result in 100 Hz for CRTC 1 and 50 Hz for CRTC 2. */
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
