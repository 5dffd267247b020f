#include "measure/window/surface_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* The form in which the rows are printed. Android 11 and older have no column for the
 * present. */
#define DIALECT "13"

/* Layers of an app that never have frames. */
static const char *const without_frames[] = {
    "Background for", "Bounds for", "ActivityRecord{", "AppWindowToken{",
    "WindowToken{",   "Surface(",   "Input Consumer",  "Task",
};

static bool may_have_frames(struct dj_str name)
{
    for (size_t i = 0; i < COUNT_OF(without_frames); i++) {
        if (dj_str_begins(name, without_frames[i])) {
            return false;
        }
    }
    return true;
}

static struct dj_surface_layer *find_layer(struct dj_surface_layers *layers,
                                           struct dj_str name)
{
    for (size_t i = 0; i < layers->count; i++) {
        if (dj_str_is(name, layers->at[i].name)) {
            return &layers->at[i];
        }
    }
    return NULL;
}

static bool add_layer(struct dj_surface_layers *layers, struct dj_str name)
{
    if (layers->count == DJ_SURFACE_LAYERS_MAX) {
        return true;
    }
    char *copy = strndup(name.at, name.length);
    if (copy != NULL) {
        layers->at[layers->count++] =
            (struct dj_surface_layer){.name = copy, .is_listed = true};
    }
    return copy != NULL;
}

bool dj_surface_layers_list(struct dj_surface_layers *layers, const char *list,
                            const char *package)
{
    struct dj_str rest = dj_str_of(list);
    struct dj_str line;
    bool added = true;
    for (size_t i = 0; i < layers->count; i++) {
        layers->at[i].is_listed = false;
    }
    while (added && dj_str_next_line(&rest, &line)) {
        struct dj_str name = dj_gfxinfo_surface_find_list_name(dj_str_trim(line));
        if (name.length == 0 ||
            !dj_str_is(dj_gfxinfo_surface_find_package(name), package) ||
            !may_have_frames(name)) {
            continue;
        }
        struct dj_surface_layer *known = find_layer(layers, name);
        if (known != NULL) {
            known->is_listed = true;
        } else {
            added = add_layer(layers, name);
        }
    }
    return added;
}

/* Notes whether frames may be lost between the last reading and this one. */
static void find_gap(struct dj_surface_layer *layer, const int64_t *present_ns,
                     size_t count)
{
    bool follows = layer->last_ns == 0;
    int64_t latest_ns = layer->last_ns;
    for (size_t i = 0; i < count; i++) {
        if (present_ns[i] != DJ_SURFACE_NO_TIME) {
            follows = follows || present_ns[i] <= layer->last_ns;
            latest_ns = present_ns[i] > latest_ns ? present_ns[i] : latest_ns;
        }
    }
    layer->gaps += !follows && latest_ns > layer->last_ns;
    layer->last_ns = latest_ns;
}

static struct dj_dump_window *add_window(const struct dj_surface_layer *layer,
                                         const struct dj_dialect *dialect,
                                         struct dj_dump_process *process)
{
    struct dj_text title = {0};
    struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
    if (window == NULL) {
        return NULL;
    }
    dj_text_add(&title, layer->name);
    if (layer->gaps > 0) {
        dj_text_format(&title, " (%zu)", layer->gaps + 1);
    }
    window->title = title.failed ? NULL : strdup(dj_text_get(&title));
    window->columns = dialect->columns;
    window->has_frames = true;
    window->visibility = 0;
    window->views_kb = -1;
    dj_text_finish(&title);
    return window->title != NULL ? window : NULL;
}

static void add_row(struct dj_dump_window *window, int64_t present_ns, int64_t period_ns)
{
    struct dj_frame *frame = &window->frames[window->frame_count++];
    dj_frame_set(frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, present_ns);
    if (period_ns > 0) {
        dj_frame_set(frame, DJ_COLUMN_FRAME_INTERVAL, period_ns);
    }
}

bool dj_surface_layers_add_rows(struct dj_surface_layers *layers,
                                struct dj_surface_layer *layer,
                                const struct dj_dump_surface *rows,
                                struct dj_dump_process *process)
{
    const struct dj_dialect *dialect = dj_frame_dialect_find(DIALECT);
    int64_t last_ns = layer->last_ns;
    layer->asked++;
    layers->period_ns = rows->refresh_ns > 0 ? rows->refresh_ns : layers->period_ns;
    if (rows->complete_rows <= 0) {
        return true;
    }
    size_t gaps = layer->gaps;
    find_gap(layer, rows->present_ns, rows->present_count);
    struct dj_dump_window *window = add_window(layer, dialect, process);
    if (window == NULL) {
        return false;
    }
    window->frames = calloc(rows->present_count, sizeof(*window->frames));
    for (size_t i = 0; i < rows->present_count && window->frames != NULL; i++) {
        int64_t present_ns = rows->present_ns[i];
        bool is_old = layer->gaps > gaps && present_ns <= last_ns;
        if (present_ns != DJ_SURFACE_NO_TIME && !is_old) {
            add_row(window, present_ns, layers->period_ns);
        }
    }
    process->not_recorded = dj_frame_column_mask(&dialect->columns);
    if (window->frame_count > 0) {
        process->not_recorded &= ~window->frames[0].known;
    }
    return window->frames != NULL;
}

void dj_surface_layers_finish(struct dj_surface_layers *layers)
{
    for (size_t i = 0; i < layers->count; i++) {
        free(layers->at[i].name);
    }
    *layers = (struct dj_surface_layers){0};
}
