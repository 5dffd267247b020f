/* Reads --frametimeline (since Android 12). Each display frame contains the frames of
 * layers:
 *
 *   Display Frame 1 [*]
 *   Jank Type : SurfaceFlinger deadline missed (while in HWC)
 *   Vsync Period:  16.666666
 *   …
 *       Layer - com.x/com.x.Main#57 [*]
 *       Present State : Presented
 *       Jank Type : SurfaceFlinger deadline missed (while in HWC)
 *       		    Start time		|    End time		|    Present time
 *       Expected	|	     -3.33	|	     21.67	|	     50.00
 *       Actual  	|	     16.67	|	     22.67	|	     66.70
 *
 * "[*]" marks jank. Times are in ms from the first frame on. */
#include <math.h>
#include <string.h>

#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

static const double ns_per_ms = 1e6;

/* Reads a number of ms. Returns false if it is anything else or out of range. */
static bool read_ms(struct dj_str text, int64_t *ns)
{
    double ms;
    text = dj_str_trim(text);
    bool negative = dj_scan_word(&text, "-");
    if (!dj_scan_decimal(&text, &ms) || text.length > 0 || !(ms < 1e12)) {
        return false;
    }
    *ns = (int64_t)llround((negative ? -ms : ms) * ns_per_ms);
    return true;
}

/* Returns the index of the layer in the current text, or the number of layers. */
static size_t find_layer(const struct dj_reader *reader, struct dj_str name)
{
    const struct dj_surfaces *surfaces = &reader->dump->surfaces;
    size_t first = reader->surface.block;
    first = surfaces->count - first > DJ_SURFACE_LAYERS_BACK
                ? surfaces->count - DJ_SURFACE_LAYERS_BACK
                : first;
    for (size_t i = first; i < surfaces->count; i++) {
        if (surfaces->at[i].layer != NULL && dj_str_is(name, surfaces->at[i].layer)) {
            return i;
        }
    }
    return surfaces->count;
}

static void begin_layer(struct dj_reader *reader, struct dj_str name)
{
    struct dj_surface_state *state = &reader->surface;
    if (dj_str_ends(name, " [*]")) {
        name.length -= strlen(" [*]");
    }
    name = dj_str_trim(name);
    size_t index = find_layer(reader, name);
    state->in_layer = index < reader->dump->surfaces.count;
    if (state->in_layer) {
        state->index = index;
    } else {
        struct dj_dump_surface *surface =
            dj_surface_begin_layer(reader, DJ_SURFACE_FRAME_TIMELINE, name);
        struct dj_surface_part *part =
            surface != NULL ? dj_gfxinfo_surface_add_part(surface) : NULL;
        if (part == NULL) {
            reader->failed = reader->failed || surface != NULL;
            state->in_layer = false;
            return;
        }
        part->total_frames = 0;
        part->dropped_frames = 0;
        surface->refresh_ns = state->vsync_ns;
    }
    dj_surface_get(reader)->parts[0].total_frames++;
    state->is_present = false;
    state->expected_ns = DJ_SURFACE_NO_TIME;
}

/* Counts each jank type of a frame: "Buffer Stuffing, App Deadline Missed". */
static void count_jank(struct dj_reader *reader, struct dj_str types)
{
    struct dj_surface_part *part = &dj_surface_get(reader)->parts[0];
    struct dj_str rest = dj_str_trim(types);
    while (rest.length > 0 && !reader->failed) {
        struct dj_str type = dj_str_until(rest, ",");
        const char *comma = memchr(rest.at, ',', rest.length);
        reader->failed = !dj_gfxinfo_surface_add_jank(part, type, 1);
        rest = comma != NULL ? dj_str_between(comma + 1, rest.at + rest.length)
                             : (struct dj_str){0};
    }
}

enum { START_CELL = 1, PRESENT_CELL = 3, CELLS = 4 };

/* Reads a cell of a row such as "Actual | start | end | present". Returns
 * DJ_SURFACE_NO_TIME if it is unknown or the row has another form. */
static int64_t read_cell(const struct dj_reader *reader, struct dj_str row, size_t wanted)
{
    struct dj_str cell = {0};
    size_t cells = 0;
    const char *end = row.at + row.length;
    int64_t ns;
    for (const char *at = row.at; at != NULL; cells++) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        cell = cells == wanted ? dj_str_between(at, bar != NULL ? bar : end) : cell;
        at = bar != NULL ? bar + 1 : NULL;
    }
    bool known = cells == CELLS && !reader->truncated && read_ms(cell, &ns);
    return known ? ns : DJ_SURFACE_NO_TIME;
}

/* Reads the row of the frame's own times. Apps draw a frame for its expected start. */
static void read_actual(struct dj_reader *reader, struct dj_str row)
{
    if (reader->surface.is_present && memchr(row.at, '|', row.length) != NULL) {
        dj_surface_add_frame(reader, read_cell(reader, row, PRESENT_CELL),
                             reader->surface.expected_ns);
        reader->surface.is_present = false;
    }
}

static bool read_layer_line(struct dj_reader *reader, struct dj_str line)
{
    static const char *const ignored[] = {"Token",
                                          "Is Buffer?",
                                          "Owner Pid",
                                          "Scheduled rendering rate",
                                          "Layer ID",
                                          "Prediction State",
                                          "Present Metadata",
                                          "Finish Metadata",
                                          "Last latch time",
                                          "Present delta",
                                          "Start time",
                                          "Start Metadata"};
    struct dj_surface_part *part = &dj_surface_get(reader)->parts[0];
    struct dj_str rest;
    if (dj_str_begins(line, "Present State") && dj_str_after(line, ":", &rest)) {
        rest = dj_str_trim(rest);
        part->dropped_frames += dj_str_is(rest, "Dropped");
        reader->surface.is_present = dj_str_is(rest, "Presented");
    } else if (dj_str_begins(line, "Jank Type") && dj_str_after(line, ":", &rest)) {
        count_jank(reader, rest);
    } else if (dj_str_begins(line, "Expected")) {
        reader->surface.expected_ns = read_cell(reader, line, START_CELL);
    } else if (dj_str_begins(line, "Actual")) {
        read_actual(reader, line);
    } else {
        for (size_t i = 0; i < COUNT_OF(ignored); i++) {
            if (dj_str_begins(line, ignored[i])) {
                return true;
            }
        }
        return false;
    }
    return true;
}

bool dj_surface_read_frame_timeline(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    struct dj_str rest;
    if (dj_str_begins(line, "Display Frame ")) {
        state->in_layer = false;
        state->is_each_printed = state->is_each_printed || !dj_str_ends(line, "[*]");
        return true;
    }
    if (dj_str_begins(line, "Layer - ")) {
        begin_layer(reader, dj_str_from(line, strlen("Layer - ")));
        return true;
    }
    if (state->in_layer) {
        return read_layer_line(reader, line);
    }
    if (dj_str_begins(line, "Vsync Period") && dj_str_after(line, ":", &rest)) {
        int64_t vsync_ns;
        state->vsync_ns = read_ms(rest, &vsync_ns) && vsync_ns > 0 && !reader->truncated
                              ? vsync_ns
                              : -1;
    }
    return false;
}

/* If only janky frames are printed, the times of two frames are no neighbours. */
void dj_surface_close_frame_timeline(struct dj_reader *reader)
{
    struct dj_surfaces *surfaces = &reader->dump->surfaces;
    for (size_t i = reader->surface.block;
         i < surfaces->count && !reader->surface.is_each_printed; i++) {
        surfaces->at[i].present_count = 0;
        surfaces->at[i].content_count = 0;
    }
}
