/* The live views of running apps. Each watched app has a thread, which reads its frames
 * and sends them as events to browsers. The thread ends when no browser has watched the
 * app and no recording of it has run for 10 s. */
#ifndef DEJANK_SERVE_LIVE_VIEWS_H
#define DEJANK_SERVE_LIVE_VIEWS_H

#include <stdint.h>

#include "base/error.h"
#include "serve/http/channel.h"

struct dj_live_views;
struct dj_server;

struct dj_live_views *dj_serve_start_views(struct dj_server *server);
/* Ends the streams of all apps and joins their threads. Afterwards, no app can be
 * watched. */
void dj_serve_stop_views(struct dj_live_views *views);
/* Frees the views. Call dj_serve_stop_views() before. */
void dj_serve_free_views(struct dj_live_views *views);

/* Ends the streams that are open now. Browsers can watch the apps again. */
void dj_serve_end_view_streams(struct dj_live_views *views);

/* Returns the channel of an app, and starts to watch the app if needed. Returns NULL if
 * too many apps are watched or if the server is stopping. The caller owns a reference to
 * the channel. */
struct dj_channel *dj_serve_follow_app(struct dj_live_views *views, const char *device,
                                       const char *app, struct dj_error *err);

/* dj_serve_record_app() starts to record an app. dj_serve_mark_app() marks a moment of
 * its recording. Both start to watch the app if needed. They return DJ_E_USAGE if the app
 * is already being recorded, or is not being recorded. */
int dj_serve_record_app(struct dj_live_views *views, const char *device, const char *app,
                        const char *name, const char *label, int64_t duration_ns,
                        struct dj_error *err);
int dj_serve_mark_app(struct dj_live_views *views, const char *device, const char *app,
                      struct dj_error *err);

#endif
