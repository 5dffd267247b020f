#include "serve/http/microhttpd.h"

DJ_LIBRARY_DEFINE(dj_microhttpd, DJ_MICROHTTPD_FUNCTIONS, "libmicrohttpd.so.12",
                  "libmicrohttpd12", "dejank serve");

int dj_serve_load_microhttpd(struct dj_error *err)
{
    return dj_device_library_load(&dj_microhttpd_library, err);
}
