/* randr_app FRAMES [CRTC…]
 *
 * Presents frames, and queries the given CRTCs with RandR. */
#include <X11/extensions/Xrandr.h>
#include <stdio.h>
#include <stdlib.h>

void glXSwapBuffers(void *display, unsigned long drawable);

int main(int argc, char **argv)
{
    XRRModeInfo modes[] = {
        {.id = 71, .dotClock = 50000000, .hTotal = 1000, .vTotal = 500},
        {.id = 72, .dotClock = 25000000, .hTotal = 1000, .vTotal = 500},
        {.id = 73},
    };
    XRRScreenResources resources = {.nmode = 3, .modes = modes};
    for (int i = 2; i < argc; i++) {
        free(XRRGetCrtcInfo(NULL, &resources, strtoul(argv[i], NULL, 10)));
    }
    for (int i = 0; i < atoi(argv[1]); i++) {
        glXSwapBuffers(NULL, 5);
    }
    return 0;
}
