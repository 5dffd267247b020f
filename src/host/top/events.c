#include "top/events.h"

#include <stdlib.h>

#include "memory/memory.h"

void dj_top_events_finish(struct dj_top_events *events)
{
    free(events->printed);
    *events = (struct dj_top_events){0};
}

static struct dj_top_printed *find_printed(const struct dj_top_events *events,
                                           const struct dj_live *live)
{
    for (size_t i = 0; i < events->count; i++) {
        if (events->printed[i].live == live) {
            return &events->printed[i];
        }
    }
    return NULL;
}

/* Removes the data about views that are closed. */
static void remove_closed(struct dj_top_events *events, const struct dj_top_views *views)
{
    size_t count = 0;
    for (size_t i = 0; i < events->count; i++) {
        for (size_t k = 0; k < dj_top_views_count(views); k++) {
            if (dj_top_views_at(views, k) == events->printed[i].live) {
                events->printed[count++] = events->printed[i];
                break;
            }
        }
    }
    events->count = count;
}

static bool has_changed(const struct dj_top_printed *printed, const struct dj_live *live)
{
    return printed->state != dj_live_get_state(live) ||
           printed->pid != dj_live_get_pid(live) ||
           printed->restarts != dj_live_get_restarts(live);
}

static void append_state(struct dj_top_printed *printed, struct dj_text *text,
                         const struct dj_live *live)
{
    dj_report_live_state_event(text, live);
    printed->state = dj_live_get_state(live);
    printed->pid = dj_live_get_pid(live);
    printed->restarts = dj_live_get_restarts(live);
}

static void append_events(struct dj_top_events *events, struct dj_text *text,
                          const struct dj_live *live)
{
    struct dj_error err = {0};
    int64_t now_ns = dj_host_now_ns();
    struct dj_top_printed *printed = find_printed(events, live);
    bool is_new = printed == NULL;
    if (is_new) {
        DJ_XPUSH(
            events->printed, events->count,
            (struct dj_top_printed){.live = live, .second_ns = now_ns + DJ_SECOND_NS});
        printed = &events->printed[events->count - 1];
    }
    /* Print the last frames of an app before the event that the app has ended. */
    bool has_ended = !is_new && dj_live_get_state(live) == DJ_LIVE_ENDED;
    bool changes = is_new || has_changed(printed, live);
    if (changes && !has_ended) {
        append_state(printed, text, live);
    }
    while (dj_report_live_next_event(text, live, &printed->viewer)) {
    }
    if (changes && has_ended) {
        append_state(printed, text, live);
    }
    if (now_ns >= printed->second_ns) {
        dj_xcode(dj_report_live_second_event(text, live, &err));
        printed->second_ns += DJ_SECOND_NS;
        if (printed->second_ns < now_ns) {
            printed->second_ns = now_ns + DJ_SECOND_NS;
        }
    }
}

void dj_top_events_append(struct dj_top_events *events, struct dj_text *text,
                          const struct dj_top_views *views)
{
    remove_closed(events, views);
    for (size_t i = 0; i < dj_top_views_count(views); i++) {
        append_events(events, text, dj_top_views_at(views, i));
    }
}
