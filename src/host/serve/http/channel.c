#include "serve/http/channel.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "process/deadline.h"
#include "serve/http/microhttpd.h"

enum { STREAM_BLOCK = 16384 };

/* A browser that receives the events of a channel. */
struct listener {
    struct dj_channel *channel;
    struct MHD_Connection *connection;
    int64_t next;        /* Id of the next event to send to this browser. */
    struct dj_text text; /* Text of the event that is being sent. */
    size_t sent;         /* Number of bytes of `text` that were already sent. */
    bool is_suspended;
    bool is_ended; /* True if the stream ends before its next event. */
    struct listener *following;
};

struct dj_channel {
    pthread_mutex_t lock;
    /* Ring of the newest events. Event n is in element n % DJ_CHANNEL_EVENTS. */
    struct dj_text events[DJ_CHANNEL_EVENTS];
    int64_t
        /* Id of the first event. It is greater than all ids of earlier channels. */
        first;
    int64_t count; /* Id of the next event. */
    bool is_closed;
    /* Number of references: one of the owner, and one for each listener. */
    unsigned references;
    struct listener *listeners;
};

struct dj_channel *dj_serve_open_channel(void)
{
    struct dj_channel *channel = dj_xcalloc(1, sizeof(*channel));
    pthread_mutex_init(&channel->lock, NULL);
    channel->first = dj_host_now_ns() / 1000;
    channel->count = channel->first;
    channel->references = 1;
    return channel;
}

void dj_serve_ref_channel(struct dj_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    channel->references++;
    pthread_mutex_unlock(&channel->lock);
}

void dj_serve_unref_channel(struct dj_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    bool is_unused = --channel->references == 0;
    pthread_mutex_unlock(&channel->lock);
    if (!is_unused) {
        return;
    }
    for (size_t i = 0; i < DJ_CHANNEL_EVENTS; i++) {
        dj_text_finish(&channel->events[i]);
    }
    pthread_mutex_destroy(&channel->lock);
    free(channel);
}

/* Resumes all connections that wait for an event. The caller holds the lock. */
static void wake_listeners(struct dj_channel *channel)
{
    for (struct listener *at = channel->listeners; at != NULL; at = at->following) {
        if (at->is_suspended) {
            at->is_suspended = false;
            dj_microhttpd->MHD_resume_connection(at->connection);
        }
    }
}

void dj_serve_send_event(struct dj_channel *channel, const char *type,
                         const struct dj_text *data)
{
    pthread_mutex_lock(&channel->lock);
    if (channel->is_closed) {
        pthread_mutex_unlock(&channel->lock);
        return;
    }
    struct dj_text *event = &channel->events[channel->count % DJ_CHANNEL_EVENTS];
    dj_text_clear(event);
    dj_text_format(event, "id: %" PRId64 "\nevent: %s\ndata: ", channel->count, type);
    size_t length = data->length;
    while (length > 0 && data->data[length - 1] == '\n') {
        length--;
    }
    dj_text_append(event, data->data, length);
    dj_text_add(event, "\n\n");
    channel->count++;
    wake_listeners(channel);
    pthread_mutex_unlock(&channel->lock);
}

void dj_serve_send_comment(struct dj_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    for (struct listener *at = channel->listeners; at != NULL; at = at->following) {
        if (at->is_suspended && at->text.length == 0) {
            dj_text_add(&at->text, ":\n\n");
            at->sent = 0;
        }
    }
    wake_listeners(channel);
    pthread_mutex_unlock(&channel->lock);
}

size_t dj_serve_count_listeners(struct dj_channel *channel)
{
    size_t count = 0;
    pthread_mutex_lock(&channel->lock);
    for (struct listener *at = channel->listeners; at != NULL; at = at->following) {
        count++;
    }
    pthread_mutex_unlock(&channel->lock);
    return count;
}

int64_t dj_serve_get_last_event(struct dj_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    int64_t last = channel->count - 1;
    pthread_mutex_unlock(&channel->lock);
    return last;
}

void dj_serve_end_streams(struct dj_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    for (struct listener *at = channel->listeners; at != NULL; at = at->following) {
        at->is_ended = true;
    }
    wake_listeners(channel);
    pthread_mutex_unlock(&channel->lock);
}

void dj_serve_close_channel(struct dj_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    channel->is_closed = true;
    wake_listeners(channel);
    pthread_mutex_unlock(&channel->lock);
}

/* Returns the id of the oldest event that the channel still has. */
static int64_t find_oldest(const struct dj_channel *channel)
{
    int64_t oldest = channel->count - DJ_CHANNEL_EVENTS;
    return oldest > channel->first ? oldest : channel->first;
}

/* Copies the next event into listener->text. Returns false if there is no new event. */
static bool fetch_event(struct listener *listener)
{
    struct dj_channel *channel = listener->channel;
    int64_t oldest = find_oldest(channel);
    dj_text_clear(&listener->text);
    listener->sent = 0;
    if (listener->next < oldest) {
        dj_text_format(&listener->text,
                       "id: %" PRId64
                       "\nevent: lost\ndata: {\"schema\":\"dejank.live/1\","
                       "\"kind\":\"lost\",\"count\":null,\"after\":null,"
                       "\"before\":null,\"window\":null}\n\n",
                       oldest - 1);
        listener->next = oldest;
    } else if (listener->next < channel->count) {
        const struct dj_text *event =
            &channel->events[listener->next % DJ_CHANNEL_EVENTS];
        dj_text_append(&listener->text, event->data, event->length);
        listener->next++;
    }
    return listener->text.length > 0;
}

/* Passes the bytes of the next event to libmicrohttpd. Suspends the connection if there
 * is no event. */
static ssize_t read_stream(void *user, uint64_t position, char *buffer, size_t size)
{
    struct listener *listener = user;
    struct dj_channel *channel = listener->channel;
    ssize_t length = 0;
    (void)position;
    pthread_mutex_lock(&channel->lock);
    bool has_text = listener->sent < listener->text.length;
    if (!has_text && (listener->is_ended || !fetch_event(listener))) {
        if (listener->is_ended || channel->is_closed) {
            length = MHD_CONTENT_READER_END_OF_STREAM;
        } else {
            listener->is_suspended = true;
            dj_microhttpd->MHD_suspend_connection(listener->connection);
        }
    } else {
        size_t rest = listener->text.length - listener->sent;
        length = (ssize_t)(rest < size ? rest : size);
        memcpy(buffer, listener->text.data + listener->sent, (size_t)length);
        listener->sent += (size_t)length;
        if (listener->sent == listener->text.length) {
            dj_text_clear(&listener->text);
            listener->sent = 0;
        }
    }
    pthread_mutex_unlock(&channel->lock);
    return length;
}

static void end_stream(void *user)
{
    struct listener *listener = user;
    struct dj_channel *channel = listener->channel;
    pthread_mutex_lock(&channel->lock);
    for (struct listener **at = &channel->listeners; *at != NULL;
         at = &(*at)->following) {
        if (*at == listener) {
            *at = listener->following;
            break;
        }
    }
    pthread_mutex_unlock(&channel->lock);
    dj_text_finish(&listener->text);
    free(listener);
    dj_serve_unref_channel(channel);
}

struct MHD_Response *dj_serve_create_stream(struct dj_channel *channel,
                                            struct MHD_Connection *connection,
                                            int64_t last_id, int64_t backlog)
{
    struct listener *listener = dj_xcalloc(1, sizeof(*listener));
    struct MHD_Response *response = NULL;
    listener->channel = channel;
    listener->connection = connection;
    /* Tells the browser to connect again 1 s after the connection was lost. */
    dj_text_add(&listener->text, "retry: 1000\n\n");
    pthread_mutex_lock(&channel->lock);
    int64_t start = channel->count - backlog;
    start = start > find_oldest(channel) ? start : find_oldest(channel);
    listener->next = last_id >= 0 && last_id < channel->count ? last_id + 1 : start;
    if (!channel->is_closed) {
        response = dj_microhttpd->MHD_create_response_from_callback(
            MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, listener, end_stream);
    }
    if (response != NULL) {
        listener->following = channel->listeners;
        channel->listeners = listener;
        channel->references++;
    }
    pthread_mutex_unlock(&channel->lock);
    if (response == NULL) {
        dj_text_finish(&listener->text);
        free(listener);
    }
    return response;
}
