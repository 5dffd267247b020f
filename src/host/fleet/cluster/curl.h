/* The functions of libcurl that dejank calls. libcurl is loaded when the first cluster is
 * contacted. */
#ifndef DEJANK_FLEET_CLUSTER_CURL_H
#define DEJANK_FLEET_CLUSTER_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "device/library.h"

#define DJ_CURL_FUNCTIONS(ROW)                                                           \
    ROW(curl_easy_cleanup)                                                               \
    ROW(curl_easy_getinfo)                                                               \
    ROW(curl_easy_init)                                                                  \
    ROW(curl_easy_setopt)                                                                \
    ROW(curl_easy_strerror)                                                              \
    ROW(curl_global_init)                                                                \
    ROW(curl_multi_add_handle)                                                           \
    ROW(curl_multi_cleanup)                                                              \
    ROW(curl_multi_info_read)                                                            \
    ROW(curl_multi_init)                                                                 \
    ROW(curl_multi_perform)                                                              \
    ROW(curl_multi_poll)                                                                 \
    ROW(curl_multi_remove_handle)

DJ_LIBRARY_DECLARE(dj_curl, DJ_CURL_FUNCTIONS);

#endif
