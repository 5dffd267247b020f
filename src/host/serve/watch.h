/* Watches the store, and sends an event to browsers when its content changes. */
#ifndef DEJANK_SERVE_WATCH_H
#define DEJANK_SERVE_WATCH_H

#include "serve/http/channel.h"

struct dj_server;
struct dj_store_watch;

struct dj_store_watch *dj_serve_start_watch(struct dj_server *server);
/* Stops the watch, and ends the streams of its events. */
void dj_serve_stop_watch(struct dj_store_watch *watch);
/* Frees the watch. Call dj_serve_stop_watch() before. */
void dj_serve_free_watch(struct dj_store_watch *watch);

/* Returns the channel of the events "store". A browser that receives no events gets a
 * comment every 15 s. */
struct dj_channel *dj_serve_get_store_events(struct dj_store_watch *watch);

#endif
