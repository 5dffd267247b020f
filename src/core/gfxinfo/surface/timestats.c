/* Reads timestats. A layer of Android 13:
 *
 *   displayRefreshRate = 60 fps
 *   renderRate = 60 fps
 *   uid = 10074
 *   layerName = com.x/com.x.Main#145
 *   packageName =
 *   gameMode = Unsupported
 *   totalFrames = 28
 *   droppedFrames = 0
 *   …
 *   Jank payload for this layer:
 *   totalTimelineFrames = 0
 *   …
 *   averageFPS = 62.500
 *   present2present histogram is as below:
 *   0ms=0 1ms=0 2ms=0 … 1000ms=0
 *
 * Older releases lack some lines. Android 9 writes "totalFrames= 28". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/read/openers.h"
#include "gfxinfo/scan.h"

/* Splits "key = value". Returns false if the line is anything else. */
static bool split(struct dj_str line, struct dj_str *key, struct dj_str *value)
{
    size_t length = 0;
    while (length < line.length &&
           (dj_scan_is_letter(line.at[length]) || dj_gfxinfo_is_digit(line.at[length]))) {
        length++;
    }
    struct dj_str rest = dj_str_from(line, length);
    *key = (struct dj_str){line.at, length};
    dj_scan_blanks(&rest);
    if (length == 0 || !dj_scan_is_letter(line.at[0]) || !dj_scan_word(&rest, "=")) {
        return false;
    }
    dj_scan_blanks(&rest);
    *value = rest;
    return true;
}

static struct dj_surface_part *get_part(struct dj_reader *reader)
{
    struct dj_dump_surface *surface = dj_surface_get(reader);
    return &surface->parts[surface->part_count - 1];
}

static void begin_rates(struct dj_surface_state *state)
{
    state->display_hz = -1;
    state->render_hz = -1;
    state->uid = -1;
}

/* Ends the current layer. Warns about a layer that drew frames but has no histogram, at
 * the end of the text. */
static void end_layer(struct dj_reader *reader)
{
    struct dj_surface_state *state = &reader->surface;
    dj_surface_close_histogram(reader);
    if (state->in_layer && reader->ending && !reader->failed &&
        get_part(reader)->presents == NULL && get_part(reader)->total_frames != 0) {
        dj_reader_warn(reader, "the text ends within a layer: its histogram "
                               "present2present is missing");
    }
    state->is_name_open = false;
    state->in_jank = false;
}

static bool is_same_mode(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static bool has_same_rates(const struct dj_surface_part *one,
                           const struct dj_surface_part *other)
{
    return one->display_hz == other->display_hz && one->render_hz == other->render_hz &&
           is_same_mode(one->game_mode, other->game_mode);
}

/* Returns the index of an earlier layer of the block with the same name and user whose
 * parts have other rates. Returns the number of layers if there is none. */
static size_t find_other_rates(struct dj_reader *reader,
                               const struct dj_dump_surface *surface)
{
    const struct dj_surfaces *surfaces = &reader->dump->surfaces;
    const struct dj_surface_part *part = &surface->parts[surface->part_count - 1];
    size_t last = surfaces->count - 1;
    size_t first = last > DJ_SURFACE_LAYERS_BACK ? last - DJ_SURFACE_LAYERS_BACK : 0;
    first = first > reader->surface.block ? first : reader->surface.block;
    for (size_t i = first; i < last; i++) {
        const struct dj_dump_surface *other = &surfaces->at[i];
        bool named = other->layer != NULL && surface->layer != NULL &&
                     strcmp(other->layer, surface->layer) == 0;
        bool fits = named && other->uid == surface->uid && part->display_hz >= 0 &&
                    other->part_count < DJ_SURFACE_PARTS_MOST;
        for (size_t k = 0; k < other->part_count && fits; k++) {
            fits = !has_same_rates(&other->parts[k], part);
        }
        if (fits) {
            return i;
        }
    }
    return surfaces->count;
}

/* Moves the layer, which is complete, to an earlier layer with other rates. */
static void merge_layer(struct dj_reader *reader)
{
    struct dj_surfaces *surfaces = &reader->dump->surfaces;
    struct dj_surface_state *state = &reader->surface;
    if (!state->in_layer || reader->failed) {
        return;
    }
    struct dj_dump_surface *surface = dj_surface_get(reader);
    size_t other = find_other_rates(reader, surface);
    if (other == surfaces->count || state->index != surfaces->count - 1) {
        return;
    }
    struct dj_surface_part *part = dj_gfxinfo_surface_add_part(&surfaces->at[other]);
    if (part == NULL) {
        reader->failed = true;
        return;
    }
    *part = surface->parts[0];
    surface->part_count = 0;
    if (surfaces->at[other].package == NULL) {
        surfaces->at[other].package = surface->package;
        surface->package = NULL;
    }
    dj_gfxinfo_surface_truncate(surfaces, surfaces->count - 1);
}

static void finish_layer(struct dj_reader *reader)
{
    end_layer(reader);
    merge_layer(reader);
    reader->surface.in_layer = false;
}

void dj_surface_close_timestats(struct dj_reader *reader)
{
    finish_layer(reader);
    begin_rates(&reader->surface);
}

static void begin_layer(struct dj_reader *reader, struct dj_str name)
{
    struct dj_surface_state *state = &reader->surface;
    finish_layer(reader);
    struct dj_dump_surface *surface =
        dj_surface_begin_layer(reader, DJ_SURFACE_TIMESTATS, name);
    struct dj_surface_part *part =
        surface != NULL ? dj_gfxinfo_surface_add_part(surface) : NULL;
    if (part == NULL) {
        reader->failed = reader->failed || surface != NULL;
        state->in_layer = false;
        return;
    }
    surface->uid = state->uid;
    part->display_hz = state->display_hz;
    part->render_hz = state->render_hz;
    state->is_name_open = true;
    begin_rates(state);
}

/* Appends a line to the name of the layer, which was wrapped. */
static void continue_name(struct dj_reader *reader, struct dj_str line)
{
    struct dj_dump_surface *surface = dj_surface_get(reader);
    struct dj_text name = {0};
    dj_text_add(&name, surface->layer != NULL ? surface->layer : "");
    dj_reader_append(reader, &name, line);
    dj_surface_set_name(reader, surface, dj_text_str(&name));
    dj_text_finish(&name);
}

static void set_average(struct dj_reader *reader, struct dj_surface_part *part,
                        struct dj_str value)
{
    double fps;
    size_t length = value.length;
    /* Three decimals are printed, so a number with fewer is truncated. */
    bool complete = length > 4 && value.at[length - 4] == '.';
    if (!dj_scan_decimal(&value, &fps) || value.length > 0) {
        dj_reader_warn(reader, "expected a number after \"averageFPS =\"");
    } else if (reader->truncated && !complete) {
        dj_reader_warn(reader,
                       "the text ends in this line, so its number may lack digits");
    } else if (isnan(part->average_fps)) {
        part->average_fps = fps;
    }
}

static void set_count(struct dj_reader *reader, int64_t *count, struct dj_str value)
{
    int64_t number = dj_surface_read_count(reader, value);
    *count = *count < 0 ? number : *count;
}

/* Sets the package, unless the name is empty. */
static void set_package(struct dj_reader *reader, struct dj_str name)
{
    char *package = NULL;
    dj_reader_set_string(reader, &package, name);
    if (package != NULL && package[0] != '\0') {
        free(dj_surface_get(reader)->package);
        dj_surface_get(reader)->package = package;
    } else {
        free(package);
    }
}

/* Reads a line of the current layer. Returns false if its key is unknown. */
static bool read_layer_value(struct dj_reader *reader, struct dj_str key,
                             struct dj_str value)
{
    struct dj_surface_part *part = get_part(reader);
    if (dj_str_is(key, "packageName")) {
        set_package(reader, value);
    } else if (dj_str_is(key, "gameMode")) {
        dj_reader_set_string(reader, &part->game_mode, value);
    } else if (dj_str_is(key, "totalFrames")) {
        set_count(reader, &part->total_frames, value);
    } else if (dj_str_is(key, "droppedFrames")) {
        set_count(reader, &part->dropped_frames, value);
    } else if (dj_str_is(key, "averageFPS")) {
        set_average(reader, part, value);
    } else if (reader->surface.in_jank && dj_str_ends(key, "Frames")) {
        int64_t count = dj_surface_read_count(reader, value);
        if (count >= 0 && !dj_gfxinfo_surface_add_jank(part, key, count)) {
            reader->failed = true;
        }
        return true;
    } else {
        return false;
    }
    return true;
}

/* Reads "60 fps" or "10074". Returns −1 if it is anything else. */
static int64_t read_rate(struct dj_str value, const char *unit)
{
    uint32_t number;
    return dj_scan_uint32(&value, &number) && dj_str_is(value, unit) ? (int64_t)number
                                                                     : -1;
}

static bool read_value(struct dj_reader *reader, struct dj_str key, struct dj_str value)
{
    struct dj_surface_state *state = &reader->surface;
    if (dj_str_is(key, "layerName")) {
        begin_layer(reader, value);
    } else if (dj_str_is(key, "displayRefreshRate")) {
        finish_layer(reader);
        begin_rates(state);
        state->display_hz = read_rate(value, " fps");
    } else if (dj_str_is(key, "renderRate") && !state->in_layer) {
        state->render_hz = read_rate(value, " fps");
    } else if (dj_str_is(key, "uid") && !state->in_layer) {
        state->uid = read_rate(value, "");
    } else if (state->in_layer) {
        read_layer_value(reader, key, value);
    }
    return true;
}

/* Reads the line before a histogram, or a heading. */
static bool read_heading(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    if (dj_str_ends(line, " histogram is as below:")) {
        state->in_histogram = true;
        /* Google's page names the histogram of a layer like the global one. */
        state->is_presents =
            state->in_layer && (dj_str_begins(line, "present2present histogram") ||
                                dj_str_begins(line, "presentToPresent histogram"));
        state->in_jank = false;
        return true;
    }
    state->in_jank = dj_str_is(line, "Jank payload for this layer:");
    if (dj_str_begins(line, "Global aggregated jank payload")) {
        finish_layer(reader);
        return true;
    }
    return state->in_jank || dj_str_ends(line, " vote for this layer:") ||
           dj_str_is(line, "Legacy stats are as follows:") ||
           dj_str_is(line, "displayConfigStats is as below:") ||
           dj_str_is(line, "TimeStats for each layer is as below:");
}

/* Returns whether the layer's name ends with its number, such as "#12". */
static bool has_number(const struct dj_dump_surface *surface)
{
    return surface->layer != NULL &&
           dj_gfxinfo_surface_find_list_name(dj_str_of(surface->layer)).length > 0;
}

bool dj_surface_read_timestats(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    struct dj_str key;
    struct dj_str value;
    if (state->in_histogram && dj_surface_read_histogram(reader, line)) {
        return true;
    }
    dj_surface_close_histogram(reader);
    bool open = state->is_name_open && state->in_layer;
    bool valued = split(line, &key, &value);
    state->is_name_open = false;
    if (valued) {
        return read_value(reader, key, value);
    }
    if (read_heading(reader, line)) {
        return true;
    }
    bool digits = dj_gfxinfo_is_digit(line.at[0]);
    if (open && dj_reader_openers_find(line) == NULL &&
        (digits || !has_number(dj_surface_get(reader)))) {
        continue_name(reader, line);
        state->is_name_open = true;
        return true;
    }
    return false;
}
