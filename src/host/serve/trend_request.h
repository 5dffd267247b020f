/* Reads the request parameters that select trends. */
#ifndef DEJANK_SERVE_TREND_REQUEST_H
#define DEJANK_SERVE_TREND_REQUEST_H

#include "plan/class_words.h"
#include "serve/http/request.h"
#include "trend/trend.h"

struct dj_trend_request {
    struct dj_trend_query query;
    struct dj_device_class class;
    char class_room[DJ_CLASS_BUFFER];
};

/* Sets the query from the parameters flow, device, version, class, metric (may be
 * repeated) and since. The query points into `request` and into *trend. */
int dj_serve_read_trend_request(const struct dj_request *request,
                                struct dj_trend_request *trend, struct dj_error *err);

#endif
