/* The running apps that browsers watch. Each watched app has a thread, which reads its
 * frames and sends them as events. It ends when no browser has watched the app for 10 s.
 */
#ifndef DEJANK_SERVE_LIVE_VIEWS_H
#define DEJANK_SERVE_LIVE_VIEWS_H

#include <stdint.h>

#include "base/error.h"
#include "serve/http/channel.h"

struct dj_live_views;
struct dj_server;

struct dj_live_views *dj_serve_start_views(struct dj_server *server);
/* Ends the streams of all apps. No app can be watched afterwards. */
void dj_serve_stop_views(struct dj_live_views *views);
void dj_serve_free_views(struct dj_live_views *views); /* After they have stopped. */

/* Ends the streams that are open now. The apps can be watched again. */
void dj_serve_end_view_streams(struct dj_live_views *views);

/* Returns the channel of an app, or NULL if too many apps are watched or if the server is
 * stopping. Starts to watch the app if no browser does. The caller owns a reference to
 * the channel. */
struct dj_channel *dj_serve_follow_app(struct dj_live_views *views, const char *device,
                                       const char *app, struct dj_error *err);

/* Starts to record an app, or marks a moment of its recording. Start to watch the app if
 * no browser does. Return DJ_E_USAGE if the app is already or not yet being recorded. */
int dj_serve_record_app(struct dj_live_views *views, const char *device, const char *app,
                        const char *name, const char *label, int64_t duration_ns,
                        struct dj_error *err);
int dj_serve_mark_app(struct dj_live_views *views, const char *device, const char *app,
                      struct dj_error *err);

#endif
