#include "hooks/titles.h"

#include <stdatomic.h>
#include <string.h>

#include "hooks/busy.h"
#include "recorder/thread.h"
#include "segment/layout.h"

enum { NAMES = 64, SURFACES = 32 };

struct name {
    enum dj_namer namer;
    uint64_t window;
    char text[DJ_SEGMENT_NAME];
};

/* A surface and the window that it shows. */
struct shown {
    struct dj_surface surface;
    enum dj_namer namer; /* DJ_NAMER_NONE if the entry is free. */
    uint64_t window;
};

/* The titles of windows, and the window that each surface shows. Protected by `busy`.
 * If an array is full, a new entry replaces the oldest one. */
static struct {
    atomic_flag busy;
    struct name name[NAMES];
    struct shown shown[SURFACES];
    unsigned next_name, next_shown;
} table = {.busy = ATOMIC_FLAG_INIT};

static _Atomic uint32_t changes = 1; /* Number of changes of the table. */

/* The surface whose title this thread reported last, and the value of `changes` at that
 * time. `changes` is 0 if the thread has not reported a title. */
static _Thread_local struct {
    struct dj_surface surface;
    uint32_t changes;
} reported DJ_STATIC_TLS;

static struct name *find_name(enum dj_namer namer, uint64_t window)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (table.name[i].namer == namer && table.name[i].window == window) {
            return &table.name[i];
        }
    }
    return NULL;
}

static struct shown *find_shown(struct dj_surface surface)
{
    for (size_t i = 0; i < SURFACES; i++) {
        struct shown *one = &table.shown[i];
        if (one->namer != DJ_NAMER_NONE &&
            dj_recorder_surface_is_equal(one->surface, surface)) {
            return one;
        }
    }
    return NULL;
}

void dj_titles_set_name(enum dj_namer namer, uint64_t window, const char *title,
                        size_t length)
{
    if (title == NULL || length == 0 || !dj_busy_try_enter(&table.busy)) {
        return;
    }
    struct name *name = find_name(namer, window);
    if (name == NULL) {
        name = &table.name[table.next_name++ % NAMES];
    }
    name->namer = namer;
    name->window = window;
    if (length > sizeof(name->text) - 1) {
        length = sizeof(name->text) - 1;
    }
    memcpy(name->text, title, length);
    name->text[length] = '\0';
    atomic_fetch_add(&changes, 1);
    dj_busy_leave(&table.busy);
}

void dj_titles_set_surface(struct dj_surface surface, enum dj_namer namer,
                           uint64_t window)
{
    if (!dj_busy_try_enter(&table.busy)) {
        return;
    }
    struct shown *shown = find_shown(surface);
    if (shown == NULL) {
        shown = &table.shown[table.next_shown++ % SURFACES];
    } else if (shown->namer == namer && shown->window == window) {
        dj_busy_leave(&table.busy);
        return;
    }
    *shown = (struct shown){surface, namer, window};
    atomic_fetch_add(&changes, 1);
    dj_busy_leave(&table.busy);
}

static const struct name *find_name_of_surface(struct dj_surface surface)
{
    const struct shown *shown = find_shown(surface);
    if (shown != NULL) {
        return find_name(shown->namer, shown->window);
    }
    return surface.pipeline == DJ_PIPELINE_GLX ? find_name(DJ_NAMER_X11, surface.id)
                                               : NULL;
}

void dj_titles_frame_ended(const struct dj_recorded_frame *recorded)
{
    uint32_t now = atomic_load_explicit(&changes, memory_order_relaxed);
    struct dj_surface surface = recorded->surface;
    bool same = dj_recorder_surface_is_equal(reported.surface, surface);
    if (!recorded->valid || (same && reported.changes == now) ||
        !dj_busy_enter(&table.busy)) {
        return;
    }
    const struct name *name = find_name_of_surface(surface);
    if (name == NULL || dj_recorder_set_title(surface, name->text)) {
        reported.surface = surface;
        reported.changes = now;
    }
    dj_busy_leave(&table.busy);
}
