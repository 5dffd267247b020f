/* Declares the functions of libmicrohttpd that dejank calls. The library is loaded when a
 * server starts. */
#ifndef DEJANK_SERVE_HTTP_MICROHTTPD_H
#define DEJANK_SERVE_HTTP_MICROHTTPD_H

#include <microhttpd.h>

#include "device/library.h"

#define DJ_MICROHTTPD_FUNCTIONS(ROW)                                                     \
    ROW(MHD_add_response_header)                                                         \
    ROW(MHD_create_response_from_buffer)                                                 \
    ROW(MHD_create_response_from_callback)                                               \
    ROW(MHD_destroy_response)                                                            \
    ROW(MHD_get_connection_info)                                                         \
    ROW(MHD_get_connection_values)                                                       \
    ROW(MHD_get_daemon_info)                                                             \
    ROW(MHD_is_feature_supported)                                                        \
    ROW(MHD_lookup_connection_value)                                                     \
    ROW(MHD_queue_response)                                                              \
    ROW(MHD_quiesce_daemon)                                                              \
    ROW(MHD_resume_connection)                                                           \
    ROW(MHD_start_daemon)                                                                \
    ROW(MHD_stop_daemon)                                                                 \
    ROW(MHD_suspend_connection)

DJ_LIBRARY_DECLARE(dj_microhttpd, DJ_MICROHTTPD_FUNCTIONS);

/* Loads the library. Returns DJ_E_UNSUPPORTED if it is not installed. */
int dj_serve_load_microhttpd(struct dj_error *err);

#endif
