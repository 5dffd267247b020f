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

/* Creates a channel. The caller owns a reference and gives it back with
 * dj_serve_unref_channel(). Each browser has a further reference. */
struct dj_channel *dj_serve_open_channel(void);
void dj_serve_ref_channel(struct dj_channel *channel);
void dj_serve_unref_channel(struct dj_channel *channel);

/* Sends an event of this type with one line of data to all browsers. */
void dj_serve_send_event(struct dj_channel *channel, const char *type,
                         const struct dj_text *data);

/* Sends a comment, which browsers ignore. A failed comment shows the server that the
 * browser is gone. */
void dj_serve_send_comment(struct dj_channel *channel);

/* Returns the number of browsers that receive the events. */
size_t dj_serve_count_listeners(struct dj_channel *channel);

/* Returns the id of the last event. */
int64_t dj_serve_get_last_event(struct dj_channel *channel);

/* Ends the streams that are open now. Browsers then connect again if they are permitted
 * to. */
void dj_serve_end_streams(struct dj_channel *channel);

/* Closes the channel: ends each stream after the events that were already sent. Ignores
 * further events and browsers. */
void dj_serve_close_channel(struct dj_channel *channel);

/* Creates a response that sends the events after the event `last_id`, which may be from
 * an earlier channel. If `last_id` is negative, the response starts with the newest
 * `backlog` events. Returns NULL if the channel is closed. */
struct MHD_Response *dj_serve_create_stream(struct dj_channel *channel,
                                            struct MHD_Connection *connection,
                                            int64_t last_id, int64_t backlog);

#endif
