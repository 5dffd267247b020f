/*
 * A channel sends events to any number of browsers (Server-Sent Events). An event is
 * encoded once, whatever the number of browsers. The channel keeps the newest
 * DJ_CHANNEL_EVENTS events. A browser that is too slow, or that was disconnected for too
 * long, gets an event "lost" with the number of missing events instead.
 *
 * All functions may be called by any thread.
 */
#ifndef DEJANK_SERVE_HTTP_CHANNEL_H
#define DEJANK_SERVE_HTTP_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { DJ_CHANNEL_EVENTS = 512 };

struct dj_channel;
struct MHD_Connection;
struct MHD_Response;

/* The caller owns a reference, which dj_serve_unref_channel() returns. Each browser has
 * another one. */
struct dj_channel *dj_serve_open_channel(void);
void dj_serve_ref_channel(struct dj_channel *channel);
void dj_serve_unref_channel(struct dj_channel *channel);

/* Sends an event of this type with a line of data. */
void dj_serve_send_event(struct dj_channel *channel, const char *type,
                         const struct dj_text *data);

/* Sends a comment, which browsers ignore. It shows the server which browsers have
 * gone. */
void dj_serve_send_comment(struct dj_channel *channel);

/* Returns the number of browsers. */
size_t dj_serve_count_listeners(struct dj_channel *channel);

/* Returns the id of the last event. */
int64_t dj_serve_get_last_event(struct dj_channel *channel);

/* Ends the streams that are open now. Browsers connect again if they may. */
void dj_serve_end_streams(struct dj_channel *channel);

/* Ends all streams after the events that were sent. Further events and browsers are
 * ignored. */
void dj_serve_close_channel(struct dj_channel *channel);

/* Creates the response that sends the events after event `last_id`, which may be from an
 * earlier channel. If `last_id` is negative, the stream begins with the newest `backlog`
 * events. Returns NULL if the channel is closed. */
struct MHD_Response *dj_serve_create_stream(struct dj_channel *channel,
                                            struct MHD_Connection *connection,
                                            int64_t last_id, int64_t backlog);

#endif
