#include "serve/recording.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "memory/memory.h"
#include "memory/strings.h"

struct dj_app_recording {
    struct dj_app_recording_request request;
    struct dj_strings texts; /* Owns the texts that were copied from the request. */
    pthread_t thread;
    pthread_mutex_t lock;
    int64_t marks[DJ_WINDOW_MARKS_MAX];
    char names[DJ_WINDOW_MARKS_MAX][16];
    size_t mark_count;
    atomic_bool has_ended;
};

/* Converts marks to windows. A window lasts from its mark to the next one, and the last
 * window ends with the recording. */
static size_t list_marks(void *user, const struct dj_span *window,
                         struct dj_store_window *marks, size_t most)
{
    struct dj_app_recording *recording = user;
    pthread_mutex_lock(&recording->lock);
    size_t count = recording->mark_count < most ? recording->mark_count : most;
    for (size_t i = 0; i < count; i++) {
        int64_t start_ns = recording->marks[i];
        int64_t end_ns = i + 1 < count ? recording->marks[i + 1] : window->end_ns;
        snprintf(recording->names[i], sizeof(recording->names[i]), "mark %u",
                 (unsigned)i + 1);
        marks[i] = (struct dj_store_window){recording->names[i], {start_ns, end_ns}};
    }
    pthread_mutex_unlock(&recording->lock);
    return count;
}

static void send(const struct dj_app_recording *recording, const char *type,
                 const char *key, const char *value)
{
    struct dj_text data = {0};
    dj_json_open_object(&data, NULL);
    dj_json_add_int(&data, "duration_ns", recording->request.duration_ns);
    if (key != NULL) {
        dj_json_add_string(&data, key, value);
    }
    dj_json_close(&data, "}");
    dj_serve_send_event(recording->request.events, type, &data);
    dj_text_finish(&data);
}

static void *record(void *user)
{
    struct dj_app_recording *recording = user;
    const struct dj_app_recording_request *request = &recording->request;
    const struct dj_window_request window = {.device = request->device,
                                             .app = request->app,
                                             .name = request->name,
                                             .label = request->label,
                                             .duration_ns = request->duration_ns,
                                             .stop = request->stop,
                                             .list_marks = list_marks,
                                             .user = recording};
    char id[DJ_STORE_ID_BYTES];
    struct dj_error err = {0};
    send(recording, "recording", NULL, NULL);
    if (dj_measure_store_window(&window, request->store, id, &err) == 0) {
        send(recording, "recorded", "batch", id);
    } else {
        send(recording, "recorded", "message", err.message);
    }
    atomic_store(&recording->has_ended, true);
    return NULL;
}

struct dj_app_recording *
dj_serve_start_recording(const struct dj_app_recording_request *request)
{
    struct dj_app_recording *recording = dj_xcalloc(1, sizeof(*recording));
    recording->request = *request;
    const char **const texts[] = {&recording->request.device, &recording->request.app,
                                  &recording->request.store, &recording->request.name,
                                  &recording->request.label};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        *texts[i] = dj_memory_strings_add(&recording->texts, *texts[i]);
    }
    pthread_mutex_init(&recording->lock, NULL);
    dj_xcheck(pthread_create(&recording->thread, NULL, record, recording) == 0);
    return recording;
}

int dj_serve_mark_recording(struct dj_app_recording *recording, int64_t at_ns,
                            struct dj_error *err)
{
    pthread_mutex_lock(&recording->lock);
    bool is_full = recording->mark_count == DJ_WINDOW_MARKS_MAX;
    if (!is_full) {
        recording->marks[recording->mark_count++] = at_ns;
    }
    pthread_mutex_unlock(&recording->lock);
    return is_full ? dj_error_set(err, DJ_E_LIMIT, "expected at most %d marks",
                                  DJ_WINDOW_MARKS_MAX)
                   : 0;
}

bool dj_serve_recording_has_ended(const struct dj_app_recording *recording)
{
    return atomic_load(&recording->has_ended);
}

void dj_serve_finish_recording(struct dj_app_recording *recording)
{
    if (recording != NULL) {
        pthread_join(recording->thread, NULL);
        pthread_mutex_destroy(&recording->lock);
        dj_memory_strings_finish(&recording->texts);
        free(recording);
    }
}
